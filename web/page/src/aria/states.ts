/**
 * The states and values an element shows, in the order lines have them.
 */

import { attribute, hasAttribute, isHtml, isPlain, localName, matches } from '../dom.ts'
import {
  fieldText,
  isDisabled,
  isEditable,
  isField,
  isInput,
  isReadOnly,
  isSecret,
  isSelect,
  isTextField,
  isToggle,
} from '../fields.ts'
import type { Scan } from '../scan.ts'
import { bare, characters, clean, quoted, VALUE_LIMIT } from '../text.ts'
import { linkAddress } from '../url.ts'
import { aria } from './internals.ts'
import { contentText, elementWithId } from './name.ts'
import { isEditingHost } from './roles.ts'

/** Up to this many options of a closed select are listed by name. */
const FEW_OPTIONS = 5
const OPTION_LIMIT = 40

export interface StateContext {
  focused: Element | null
  /** Open modal dialogs. */
  modals: ReadonlySet<Element>
}

export function statesOf(
  scan: Scan,
  element: Element,
  role: string,
  context: StateContext,
): string[] {
  const states: string[] = []
  if (role === 'heading') states.push(`h${headingLevel(element)}`)
  if (saysNothing(element)) {
    shared(scan, element, context, states)
    return states
  }
  counts(element, role, states)
  if (isSecret(scan.page, element)) {
    states.push('password')
    const length = characters(fieldText(element))
    if (length > 0) states.push(length === 1 ? '1 character' : `${length} characters`)
  }
  toggles(element, role, states)
  expanded(scan, element, states)
  const current = aria(element, 'aria-current')
  if (current && current !== 'false') states.push('current')
  shared(scan, element, context, states)
  return states
}

/** What it may share with what is around it, and what any element may be. */
function shared(scan: Scan, element: Element, context: StateContext, states: string[]): void {
  const some = scan.disabled || scan.ariaDisabled
  if (some && isDisabled(element, scan.ariaDisabled)) states.push('disabled')
  if (!saysNothing(element)) fieldStates(scan, element, states)
  if (element === context.focused) states.push('focused')
  if (context.modals.has(element)) states.push('modal')
}

/** An element that has no value and no state of its own. */
function saysNothing(element: Element): boolean {
  return isPlain(element) && !STATEFUL.has(localName(element))
}

const STATEFUL = new Set(['input', 'meter', 'option', 'progress', 'select', 'summary', 'textarea'])

function headingLevel(element: Element): number {
  const level = Number.parseInt(aria(element, 'aria-level') ?? '', 10)
  if (level > 0 && level < 100) return level
  const native = /^h([1-6])$/.exec(localName(element))
  return native ? Number(native[1]) : 2
}

function counts(element: Element, role: string, states: string[]): void {
  if (isSelect(element) && role === 'combobox') {
    const options = element.options
    if (options.length === 0) return
    if (options.length > FEW_OPTIONS) {
      states.push(`${options.length} options`)
      return
    }
    const labels = Array.from(options, (option) => optionLabel(option)).filter(Boolean)
    if (labels.length > 0) {
      states.push(`options: ${labels.map((label) => bare(label, OPTION_LIMIT)).join(', ')}`)
    }
  } else if (role === 'slider' || role === 'spinbutton' || role === 'progressbar') {
    const range = rangeOf(element, role)
    if (range) states.push(range)
  } else if (isInput(element) && element.type === 'file' && element.files) {
    const files = element.files.length
    if (files > 0) states.push(files === 1 ? '1 file' : `${files} files`)
  }
}

/** What a person reads for an option. */
export function optionLabel(option: HTMLOptionElement): string {
  return clean(option.label || option.text)
}

function rangeOf(element: Element, role: string): string | undefined {
  const input = isInput(element) ? element : undefined
  const low = input?.min || aria(element, 'aria-valuemin')
  const high = input?.max || aria(element, 'aria-valuemax')
  const slider = role === 'slider' && input
  const from = number(low) ?? (slider ? 0 : undefined)
  const to = number(high) ?? (slider ? 100 : undefined)
  if (from === undefined || to === undefined || role === 'progressbar') return undefined
  return `${from} to ${to}`
}

function number(text: string | null | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

function toggles(element: Element, role: string, states: string[]): void {
  const native = isInput(element) && isToggle(element) ? element : undefined
  if (native?.indeterminate) states.push('mixed')
  else if (native) {
    if (native.checked) states.push('checked')
  } else if (CHECKABLE.has(role)) {
    const value = aria(element, 'aria-checked')
    if (value === 'true') states.push('checked')
    else if (value === 'mixed') states.push('mixed')
  }
  const selected =
    isHtml(element, 'option') && role === 'option'
      ? (element as HTMLOptionElement).selected
      : aria(element, 'aria-selected') === 'true'
  if (selected) states.push('selected')
  const pressed = aria(element, 'aria-pressed')
  if (pressed === 'true') states.push('pressed')
  else if (pressed === 'mixed') states.push('mixed')
}

const CHECKABLE = new Set([
  'checkbox',
  'radio',
  'switch',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
])

function expanded(scan: Scan, element: Element, states: string[]): void {
  if (isHtml(element, 'summary')) {
    const details = element.parentElement
    if (details && isHtml(details, 'details')) {
      states.push(hasAttribute(details, 'open') ? 'expanded' : 'collapsed')
      return
    }
  }
  const value = aria(element, 'aria-expanded')
  if (value === 'true') states.push('expanded')
  else if (value === 'false') states.push('collapsed')
  else if (value === null) {
    const popover = popoverOf(scan, element)
    if (popover) states.push(matches(popover, ':popover-open') ? 'expanded' : 'collapsed')
  }
}

/** What a button opens and closes by markup alone. */
function popoverOf(scan: Scan, element: Element): Element | null {
  const id = attribute(element, 'popovertarget') ?? attribute(element, 'commandfor')
  const opener = isHtml(element, 'button') || isHtml(element, 'input')
  const target = id && opener ? elementWithId(scan, element, id) : null
  return target && hasAttribute(target, 'popover') ? target : null
}

function fieldStates(scan: Scan, element: Element, states: string[]): void {
  const field = isField(element)
  if ((field && !isToggle(element)) || aria(element, 'aria-readonly') !== null) {
    if (isReadOnly(element)) states.push('readonly')
  }
  if ((field && element.required) || aria(element, 'aria-required') === 'true') {
    states.push('required')
  }
  const problem = invalidity(scan, element)
  if (problem !== undefined) {
    states.push(problem ? `invalid: ${quoted(problem, VALUE_LIMIT)}` : 'invalid')
  }
}

/** The message of a field that was judged wrong, empty if it has none. */
function invalidity(scan: Scan, element: Element): string | undefined {
  const invalid = aria(element, 'aria-invalid')
  if (invalid !== null && invalid !== 'false' && invalid !== '') {
    const id = attribute(element, 'aria-errormessage')?.trim().split(/\s+/)[0]
    const message = id ? elementWithId(scan, element, id) : null
    if (message && scan.style(message).display !== 'none') {
      return clean(contentText(scan, message))
    }
    return isField(element) ? element.validationMessage : ''
  }
  if (!isField(element) || element.validity.valid) return undefined
  // An empty form is not yet wrong: only what the person has touched counts.
  return userInvalid(element) ? element.validationMessage : undefined
}

function userInvalid(element: Element): boolean {
  try {
    return matches(element, ':user-invalid')
  } catch {
    return false
  }
}

/** What a line shows behind `=`; empty when there is nothing to show. */
export function shownValue(scan: Scan, element: Element, role: string): string {
  if (saysNothing(element)) return ''
  if (isSecret(scan.page, element)) return ''
  if (isSelect(element)) return role === 'combobox' ? fieldText(element) : ''
  if (isInput(element)) {
    switch (element.type) {
      case 'checkbox':
      case 'radio':
      case 'button':
      case 'submit':
      case 'reset':
      case 'image':
      case 'hidden':
        return ''
      case 'file':
        return Array.from(element.files ?? [], (file) => file.name).join(', ')
      default:
        return element.value
    }
  }
  if (isTextField(element)) return element.value
  if (isEditingHost(element) && isEditable(element)) return contentText(scan, element)
  if (isHtml(element, 'progress') || isHtml(element, 'meter')) {
    const value = (element as HTMLProgressElement | HTMLMeterElement).value
    return isHtml(element, 'progress') && !hasAttribute(element, 'value') ? '' : String(value)
  }
  if (RANGES.has(role)) {
    return aria(element, 'aria-valuetext') ?? aria(element, 'aria-valuenow') ?? ''
  }
  if (role === 'combobox' || role === 'textbox' || role === 'searchbox') {
    return contentText(scan, element)
  }
  return ''
}

const RANGES = new Set(['slider', 'spinbutton', 'progressbar', 'meter', 'scrollbar', 'separator'])

/** Where a link leads, as its line ends. */
export function addressOf(scan: Scan, element: Element, role: string): string {
  if (role !== 'link') return ''
  const href = attribute(element, 'href') ?? attribute(element, 'xlink:href')
  return href ? linkAddress(href.trim(), scan.url, scan.base) : ''
}
