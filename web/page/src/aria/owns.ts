/**
 * `aria-owns`: elements that belong to another one than the one they stand in.
 *
 * An owned element is the last child of its owner and no child of its parent. The first owner in
 * the document has it; one that would own itself or what holds it does not.
 */

import {
  attribute,
  attributeElements,
  checkVisibility,
  closest,
  elementInRoot,
  flatParent,
  isInside,
  localName,
  queryAll,
} from '../dom.ts'
import type { Scan } from '../scan.ts'

export interface Owns {
  /** What an element owns, in order. */
  by(element: Element): readonly Element[]
  ownerOf(element: Element): Element | undefined
}

const NOTHING: readonly Element[] = []
const NO_OWNERS: Owns = { by: () => NOTHING, ownerOf: () => undefined }

export function createOwns(roots: readonly (Document | ShadowRoot)[]): Owns {
  const owned = new Map<Element, Element[]>()
  const owners = new Map<Element, Element>()
  for (const root of roots) {
    for (const owner of queryAll(root, '[aria-owns]')) {
      if (!mayOwn(owner)) continue
      for (const element of referred(owner)) {
        if (owners.has(element) || !checkVisibility(element)) continue
        if (isInside(owner, element) || ownsAbove(owners, owner, element)) continue
        owners.set(element, owner)
        const list = owned.get(owner)
        if (list) list.push(element)
        else owned.set(owner, [element])
      }
    }
  }
  if (owners.size === 0) return NO_OWNERS
  return {
    by: (element) => owned.get(element) ?? NOTHING,
    ownerOf: (element) => owners.get(element),
  }
}

/** The element it belongs to: its owner, else its parent in what is rendered. */
export function parentOf(scan: Scan, element: Element): Element | null {
  return scan.owns.ownerOf(element) ?? flatParent(element)
}

/** What is hidden owns nothing, nor what can have no children. */
function mayOwn(owner: Element): boolean {
  if (CHILDLESS.has(localName(owner)) || closest(owner, '[aria-hidden=true i]')) return false
  return checkVisibility(owner)
}

const CHILDLESS = new Set([
  'audio',
  'br',
  'embed',
  'hr',
  'iframe',
  'img',
  'input',
  'meter',
  'object',
  'progress',
  'textarea',
  'video',
])

function referred(owner: Element): Element[] {
  const ids = attribute(owner, 'aria-owns')?.trim()
  if (!ids) return attributeElements(owner, 'ariaOwnsElements')
  const found: Element[] = []
  for (const id of ids.split(/\s+/).slice(0, 1000)) {
    const element = elementInRoot(owner, id)
    if (element) found.push(element)
  }
  return found
}

/** Two elements that own each other would make a circle. */
function ownsAbove(owners: Map<Element, Element>, owner: Element, element: Element): boolean {
  let at = owners.get(owner)
  for (let steps = 0; at && steps < 100; steps += 1) {
    if (at === element) return true
    at = owners.get(at)
  }
  return false
}
