/**
 * Lists that pages make themselves in place of `<select>`: by role, whatever they are built of.
 *
 * A list is a listbox, or what opens one: a combobox, or a button that says so. Which list belongs
 * to it is told by `aria-controls` or `aria-owns`, or else by what is shown once it is open.
 */

import { aria } from './aria/internals.ts'
import { nameOf } from './aria/name.ts'
import { roleOf } from './aria/roles.ts'
import {
  attribute,
  boundingBox,
  clientHeight,
  elementInRoot,
  HTML,
  innerText,
  isInside,
  namespaceURI,
  queryAll,
  scrollHeight,
  shadowRootsIn,
  textContent,
} from './dom.ts'
import { isSelect, isTextField } from './fields.ts'
import type { Page } from './page-state.ts'
import type { Scan } from './scan.ts'
import { clean, fold } from './text.ts'
import { isSeen, scrollsContent } from './visibility.ts'

const POPUPS = new Set(['listbox', 'true', 'menu', 'tree', 'dialog', 'grid'])
const OPTIONS = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem'])

/** Whether options can be chosen in it, though it is no `<select>`. */
export function isList(scan: Scan, element: Element): boolean {
  if (isSelect(element)) return false
  const role = roleOf(scan, element)
  if (role === 'listbox' || role === 'combobox') return true
  const opens = aria(element, 'aria-haspopup')?.toLowerCase()
  return role === 'button' && !!opens && opens !== 'dialog' && POPUPS.has(opens)
}

/** The list of a control, if it is shown now. `opened`: it belongs to it without saying so. */
export function listOf(scan: Scan, control: Element, opened: boolean): Element | undefined {
  if (roleOf(scan, control) === 'listbox') return control
  const isShown = (list: Element) => isSeen(scan.page, list) && optionsOf(scan, list).length > 0
  for (const name of ['aria-controls', 'aria-owns']) {
    for (const id of (attribute(control, name) ?? '').split(/\s+/).filter(Boolean)) {
      const named = elementInRoot(control, id)
      if (named && isShown(named)) return named
    }
  }
  const expanded = aria(control, 'aria-expanded')
  if (expanded === 'false' || (expanded === null && !opened)) return undefined
  const shown = lists(scan).filter(isShown)
  const fresh = opened ? shown.filter((list) => !scan.page.shownBefore.has(list)) : []
  return (
    shown.find((list) => isInside(list, control)) ??
    nearest(control, fresh.length > 0 ? fresh : shown)
  )
}

/** Remembers which lists are shown, before one is opened. */
export function rememberShown(scan: Scan): void {
  const { page } = scan
  page.shownBefore = new WeakSet(lists(scan).filter((list) => isSeen(page, list)))
}

function lists(scan: Scan): Element[] {
  return [scan.document, ...shadowRootsIn(scan.document)].flatMap((root) =>
    Array.from(queryAll(root, '[role=listbox],[role=menu],[role=tree]')),
  )
}

/** Of several lists that are open the one that hangs at the control. */
function nearest(control: Element, shown: Element[]): Element | undefined {
  const at = boundingBox(control)
  const distance = (list: Element) => {
    const box = boundingBox(list)
    const across = Math.max(0, box.left - at.right, at.left - box.right)
    return across + Math.max(0, box.top - at.bottom, at.top - box.bottom)
  }
  return shown.sort((a, b) => distance(a) - distance(b))[0]
}

/** How many options are looked at. */
const LOOKS = 5000

export function optionsOf(scan: Scan, list: Element): Element[] {
  const inside = [list, ...shadowRootsIn(list)].flatMap((root) =>
    Array.from(queryAll(root, '[role]')),
  )
  const owned = (attribute(list, 'aria-owns') ?? '').split(/\s+/).filter(Boolean)
  for (const id of owned) {
    const element = elementInRoot(list, id)
    if (element) inside.push(element)
  }
  return inside
    .slice(0, LOOKS)
    .filter((element) => OPTIONS.has(roleOf(scan, element)) && isSeen(scan.page, element))
}

export function labelOf(scan: Scan, option: Element): string {
  return clean(nameOf(scan, option)) || clean(textContent(option) ?? '')
}

/** By value, then by label, then by label whatever its case, then by index. */
export function findOption(scan: Scan, options: Element[], wanted: string): Element | undefined {
  const ownValue = (option: Element) =>
    attribute(option, 'data-value') ?? attribute(option, 'value')
  return (
    options.find((option) => ownValue(option) === wanted) ??
    options.find((option) => labelOf(scan, option) === clean(wanted)) ??
    options.find((option) => fold(labelOf(scan, option)) === fold(wanted)) ??
    (/^\d+$/.test(wanted) ? options[Number(wanted)] : undefined)
  )
}

export function isMultiple(list: Element): boolean {
  return aria(list, 'aria-multiselectable') === 'true'
}

export function isOptionChosen(option: Element): boolean {
  return ['aria-selected', 'aria-checked'].some((name) => attribute(option, name) === 'true')
}

/** What is chosen in a list, or what its control shows. */
export function chosenText(scan: Scan, control: Element): string {
  if (isTextField(control)) return control.value
  if (roleOf(scan, control) === 'listbox') {
    const chosen = optionsOf(scan, control).filter(isOptionChosen)
    return chosen.map((option) => labelOf(scan, option)).join(', ')
  }
  const text =
    namespaceURI(control) === HTML ? innerText(control as HTMLElement) : textContent(control)
  return clean(text ?? '')
}

/** Shows the next part of a list that is longer than its box; false at its end. */
export function scrollOn(page: Page, list: Element): boolean {
  const scroller = [list, ...Array.from(queryAll(list, '*')).slice(0, 200)].find((element) => {
    if (scrollHeight(element) <= clientHeight(element) + 1) return false
    return scrollsContent(page.window.getComputedStyle(element).overflowY)
  })
  if (!scroller) return false
  const before = scroller.scrollTop
  scroller.scrollBy({ top: Math.max(40, clientHeight(scroller) * 0.8), behavior: 'instant' })
  return scroller.scrollTop > before + 1
}
