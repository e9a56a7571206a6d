/**
 * Elements on which the page listens for clicks, as the engine learned from Chrome.
 *
 * A listener cannot be seen from a script. The engine knows elements by Chrome's ids and hands each
 * over once; afterwards a list of ids says which of them still listen.
 */

import { WIDGETS } from './aria/role-tables.ts'
import { roleOf } from './aria/roles.ts'
import {
  attribute,
  getRootNode,
  localName,
  nodeType,
  ownerDocument,
  queryAll,
  rememberRoot,
} from './dom.ts'
import type { Page } from './page-state.ts'
import { createScan } from './scan.ts'

export interface Listeners {
  /** By Chrome's id, kept weakly. */
  readonly known: Map<number, WeakRef<Element>>
  /** Those that listen now. */
  now: WeakSet<Element>
  /** How many of them have no role that makes them clickable anyway. */
  plain: number
}

export function createListeners(): Listeners {
  return { known: new Map(), now: new WeakSet(), plain: 0 }
}

/**
 * Takes in who listens now; `fresh` are the ids of `nodes`, which were not told before. Says whether
 * the outline may be another for it: what has a role of its own is in it anyway.
 */
export function learn(page: Page, ids: number[], fresh: number[], nodes: readonly Node[]): boolean {
  const { listeners } = page
  let news = false
  nodes.forEach((node, at) => {
    const id = fresh[at]
    if (id === undefined || ownerDocument(node) !== page.document) return
    // What listens in a closed root gives the root away.
    const root = getRootNode(node)
    if (nodeType(root) === 11 && 'host' in root) news = rememberRoot(root as ShadowRoot) || news
    if (nodeType(node) === 1) listeners.known.set(id, new WeakRef(node as Element))
  })
  if (listeners.known.size > FORGET_ABOVE) forgetGone(listeners.known)
  const scan = createScan(page)
  const now = new WeakSet<Element>()
  let plain = 0
  for (const id of ids) {
    const element = listeners.known.get(id)?.deref()
    if (!element) continue
    now.add(element)
    if (WIDGETS.has(roleOf(scan, element))) continue
    plain += 1
    news ||= !listeners.now.has(element)
  }
  news ||= plain !== listeners.plain
  listeners.now = now
  listeners.plain = plain
  return news
}

/** How many elements have a handler for clicks in their markup, which is a listener to Chrome. */
export function countHandlers(document: Document): number {
  let count = 0
  for (const element of queryAll(document, HANDLERS)) {
    // The handlers of these two are the window's in part.
    if (!/^(body|frameset)$/.test(localName(element))) count += 1
  }
  return count
}

const HANDLERS = '[onclick],[onmousedown],[onmouseup],[onpointerdown],[onpointerup],[ontouchstart]'

const FORGET_ABOVE = 10_000

function forgetGone(known: Map<number, WeakRef<Element>>): void {
  for (const [id, element] of known) if (!element.deref()) known.delete(id)
}

/** More controls than this in it, and an element listens for them rather than for itself. */
const CONTROLS = 3
const CONTROL =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,label,[onclick],[tabindex],[role=button],[role=link],[role=option],[role=menuitem],[role=tab]'

/** Whether it listens for clicks on itself. */
export function listens(page: Page, element: Element): boolean {
  if (!page.listeners.now.has(element)) return false
  if (attribute(element, 'role') === 'presentation') return false
  return !isDelegate(page, element)
}

/** Holds other things to click: it listens on their behalf. */
function isDelegate(page: Page, element: Element): boolean {
  let inside = queryAll(element, CONTROL).length
  if (inside > CONTROLS) return true
  const all = queryAll(element, '*')
  if (all.length > 200) return true
  for (let at = 0; at < all.length; at += 1) {
    if (page.listeners.now.has(all[at]!) && ++inside > CONTROLS) return true
  }
  return false
}
