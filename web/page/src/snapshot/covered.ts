/**
 * What an open modal dialog keeps a person from reaching.
 *
 * `<dialog>.showModal()` makes the rest inert for sure. `aria-modal` is only a claim, and pages put
 * it on cookie bars that block nothing; so 49 points of the viewport are tried. If one shows the page
 * itself, nothing is covered; what is lifted above the page beside the dialog (a list it opened) is
 * shown too.
 */

import { nameOf } from '../aria/name.ts'
import { roleOf } from '../aria/roles.ts'
import {
  documentBody,
  elementAt,
  flatChildren,
  flatParent,
  hasAttribute,
  isElement,
  isInside,
  matches,
  nextFlat,
  queryAll,
  shadowRootsIn,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { clean, cut, NAME_LIMIT, quote } from '../text.ts'
import { isSeen } from '../visibility.ts'

export interface Covered {
  /** Open modal dialogs, the one on top last. */
  modals: Set<Element>
  /** Parts of the page to leave out. */
  parts: Set<Element>
  /** `dialog "Cookies"`. */
  by: string
}

const GRID = 7
const CONTROLS =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab],[role=menuitem],[role=textbox],[tabindex]:not([tabindex^="-"]),[contenteditable=""],[contenteditable=true]'

export function findCovered(scan: Scan): Covered {
  const covered: Covered = { modals: new Set(), parts: new Set(), by: '' }
  const body = documentBody(scan.document)
  const dialogs = openModals(scan)
  const top = dialogs.at(-1)
  if (!top || !body) return covered
  const native = isNativeModal(top)
  const hits = native ? [] : hitElements(scan)
  if (hits.some((hit) => isExposed(scan, hit, top))) return covered
  for (const dialog of dialogs) covered.modals.add(dialog)
  covered.by = title(scan, top)
  for (let at: Element | null = top; at && at !== body; at = flatParent(at)) {
    const parent: Element | null = flatParent(at)
    if (!parent) break
    const siblings = flatChildren(parent)
    for (let node = nextFlat(siblings); node; node = nextFlat(siblings)) {
      if (!isElement(node) || node === at || dialogs.includes(node)) continue
      const part = node
      const above = !native && (hits.some((hit) => isInside(hit, part)) || isLifted(scan, part))
      if (!above) covered.parts.add(part)
    }
  }
  return covered
}

/** How many visible controls a part holds. */
export function countControls(scan: Scan, part: Element): number {
  let count = 0
  let looked = 0
  for (const root of [part, ...shadowRootsIn(part)]) {
    for (const element of queryAll(root, CONTROLS)) {
      // Beyond this a rough number does, and looking has a price.
      if (++looked > 2000) return count + 1
      if (isSeen(scan.page, element)) count += 1
    }
  }
  return count + Number(matches(part, CONTROLS) && isSeen(scan.page, part))
}

function openModals(scan: Scan): Element[] {
  const found: Element[] = []
  for (const root of [scan.document, ...scan.shadowRoots()]) {
    for (const element of queryAll(root, 'dialog[open],[aria-modal=true]')) {
      if (found.length >= 20) break
      const role = roleOf(scan, element)
      if (role !== 'dialog' && role !== 'alertdialog') continue
      const modal = isNativeModal(element) || !hasAttribute(element, 'open')
      if (modal && isSeen(scan.page, element)) found.push(element)
    }
  }
  // The native ones are above all others, whatever their place in the document.
  return found.sort((a, b) => Number(isNativeModal(a)) - Number(isNativeModal(b)))
}

function isNativeModal(element: Element): boolean {
  return matches(element, ':modal')
}

function hitElements(scan: Scan): Element[] {
  const { innerWidth, innerHeight } = scan.page.window
  const hits = new Set<Element>()
  for (let row = 0; row < GRID; row += 1) {
    for (let column = 0; column < GRID; column += 1) {
      const x = (innerWidth * (column + 0.5)) / GRID
      const y = (innerHeight * (row + 0.5)) / GRID
      const hit = elementAt(scan.document, x, y)
      if (hit) hits.add(hit)
    }
  }
  return [...hits]
}

/** Whether a hit shows the page itself, not the dialog or something lifted above the page. */
function isExposed(scan: Scan, hit: Element, dialog: Element): boolean {
  for (let at: Element | null = hit, steps = 0; at && steps < 500; steps += 1) {
    if (at === dialog) return false
    const { position } = scan.style(at)
    if (position === 'fixed' || position === 'absolute') return false
    at = flatParent(at)
  }
  return true
}

/** Elements of a part that are looked at for one that is lifted above the page. */
const LOOKED_AT = 30

/** A small box above the dialog, which no point of the grid may have met. */
function isLifted(scan: Scan, part: Element): boolean {
  const looked = [part]
  for (let at = 0; at < looked.length && at < LOOKED_AT; at += 1) {
    const element = looked[at]!
    const { position, display } = scan.style(element)
    if (display === 'none') continue
    if (position === 'fixed' || position === 'absolute') {
      const { left, top, width, height } = scan.box(element)
      const hit = elementAt(scan.document, left + width / 2, top + height / 2)
      if (hit && isInside(hit, element)) return true
    }
    const children = flatChildren(element)
    for (let node = nextFlat(children); node && looked.length < LOOKED_AT; ) {
      if (isElement(node)) looked.push(node)
      node = nextFlat(children)
    }
  }
  return false
}

function title(scan: Scan, dialog: Element): string {
  const name = cut(clean(nameOf(scan, dialog)), NAME_LIMIT)
  const role = roleOf(scan, dialog)
  return name ? `${role} ${quote(name)}` : role
}
