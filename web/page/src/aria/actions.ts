/**
 * `aria-actions`: controls that belong to an item, such as the cross on a tab.
 *
 * What one says is no part of the name of the item, nor of what is named by the item; but Chrome
 * looks for them only right below the item, not in what has a place of its own in its tree.
 */

import { attribute, attributeElements, elementInRoot, isInside, queryAll } from '../dom.ts'
import type { Scan } from '../scan.ts'
import { parentOf } from './owns.ts'

/** The items an element is an action of. */
export type Actions = ReadonlyMap<Element, readonly Element[]>

export function createActions(roots: readonly (Document | ShadowRoot)[]): Actions {
  const hosts = new Map<Element, Element[]>()
  for (const root of roots) {
    for (const host of queryAll(root, '[aria-actions]')) {
      for (const action of referred(host)) {
        const list = hosts.get(action)
        if (list) list.push(host)
        else hosts.set(action, [host])
      }
    }
  }
  return hosts
}

/** Whether an element is an action of an item. */
export function isActionOf(scan: Scan, element: Element, item: Element): boolean {
  return scan.actions.get(element)?.includes(item) ?? false
}

/** Whether it is one of an item that holds or owns it. */
export function isAction(scan: Scan, element: Element): boolean {
  const items = scan.actions.get(element)
  if (!items) return false
  const above = parentOf(scan, element)
  return !!above && items.some((item) => isInside(above, item))
}

function referred(host: Element): Element[] {
  const ids = attribute(host, 'aria-actions')?.trim()
  if (!ids) return attributeElements(host, 'ariaActionsElements')
  const found: Element[] = []
  for (const id of ids.split(/\s+/).slice(0, 100)) {
    const element = elementInRoot(host, id)
    if (element) found.push(element)
  }
  return found
}
