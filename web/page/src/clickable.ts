/**
 * Whether a plain box reacts to a click, as far as can be told from outside its scripts.
 */

import { tabIndex } from './aria/roles.ts'
import { attribute, flatParent, hasAttribute, localName } from './dom.ts'
import type { Scan } from './scan.ts'

/** How we know: a handler or focus in the markup, or only the shape of the mouse pointer. */
export type Clickable = 'markup' | 'pointer' | undefined

export function clickability(scan: Scan, element: Element): Clickable {
  const name = localName(element)
  if (name === 'html' || name === 'body' || name === 'label') return undefined
  if (hasAttribute(element, 'onclick') || (tabIndex(element) ?? -1) >= 0) return 'markup'
  const style = scan.style(element)
  if (!style.pointer) return undefined
  const parent = flatParent(element)
  // Where the pointer turns into a hand is where the handler is.
  if (!parent || scan.style(parent).pointer) return undefined
  return 'pointer'
}

export function isClickable(scan: Scan, element: Element): boolean {
  return clickability(scan, element) !== undefined && attribute(element, 'inert') === null
}
