/**
 * Whether a plain box reacts to a click, as far as can be told from outside its scripts.
 */

import { aria } from './aria/internals.ts'
import { tabIndex } from './aria/roles.ts'
import { attribute, flatParent, hasAttribute, isPlain, localName } from './dom.ts'
import { listens } from './listeners.ts'
import type { Scan } from './scan.ts'

/** How we know: by the markup, by the shape of the mouse pointer, or because the page listens. */
export type Clickable = 'markup' | 'pointer' | 'listener' | undefined

export function clickability(scan: Scan, element: Element): Clickable {
  const name = localName(element)
  if (name === 'html' || name === 'body' || name === 'label') return undefined
  if (!isPlain(element)) {
    if (hasAttribute(element, 'onclick')) return 'markup'
    if (hasAttribute(element, 'tabindex') && (tabIndex(element) ?? -1) >= 0) return 'markup'
  }
  if (scan.pointer(element)) {
    const parent = flatParent(element)
    // Where the pointer turns into a hand is where the handler is.
    if (parent && !scan.pointer(parent)) return 'pointer'
  }
  return listens(scan.page, element) && !isPart(scan, element, name) ? 'listener' : undefined
}

/** Parts of a page listen for what is in them, or to close what is open elsewhere. */
const PARTS =
  /^(main|nav|header|footer|aside|form|table|thead|tbody|tfoot|ul|ol|dl|menu|fieldset|dialog|search)$/
const PART_ROLES =
  /^(main|navigation|banner|contentinfo|complementary|form|region|search|table|grid|treegrid|rowgroup|list|listbox|menu|menubar|tablist|tree|dialog|alertdialog|application|document|radiogroup|toolbar)$/

function isPart(scan: Scan, element: Element, name: string): boolean {
  if (PARTS.test(name) || PART_ROLES.test(aria(element, 'role') ?? '')) return true
  const { innerWidth, innerHeight } = scan.page.window
  const { width, height } = scan.box(element)
  return width * height > (innerWidth * innerHeight) / 2
}

export function isClickable(scan: Scan, element: Element): boolean {
  return clickability(scan, element) !== undefined && attribute(element, 'inert') === null
}
