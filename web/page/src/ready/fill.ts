/**
 * Giving a field a value: what the page code can do by itself, and what is left to trusted input.
 *
 * Values are set through the prototype's setter, the way frameworks that wrap the property on the
 * element still notice.
 */

import { aria } from '../aria/internals.ts'
import { optionLabel } from '../aria/states.ts'
import { focusedElement } from '../dom.ts'
import { insertText } from '../editing.ts'
import { failed } from '../failed.ts'
import {
  isChecked,
  isEditable,
  isInput,
  isSecret,
  isSelect,
  isTextField,
  isToggle,
} from '../fields.ts'
import type { Failed, FillPlan } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { clean, cut, fold } from '../text.ts'
import { focus, selectContent } from './focus.ts'

const SHOWN_OPTIONS = 30

/** What each kind of field wants, for the error that says so. */
const WANTED: Record<string, string> = {
  date: 'a date like 2026-01-31',
  time: 'a time like 14:30',
  month: 'a month like 2026-01',
  week: 'a week like 2026-W05',
  'datetime-local': 'a date and time like 2026-01-31T14:30',
  color: 'a color like #3366ff',
  range: 'a number',
  number: 'a number',
  checkbox: 'true or false',
  radio: 'true or false',
}

export type Filled = { is: 'plan'; plan: FillPlan } | Failed

/** Whether `fill` can give this element a value at all. */
export function isFillable(element: Element): boolean {
  if (isInput(element)) return !NEVER_FILLED.has(element.type)
  return isTextField(element) || isSelect(element) || isEditable(element) || isToggle(element)
}

const NEVER_FILLED = new Set(['button', 'submit', 'reset', 'image', 'file', 'hidden'])

/** Decides about a toggle before anything is pressed. */
export function planToggle(element: Element, value: string): Filled {
  const wanted = truth(value)
  if (wanted === undefined) return failed('bad_value', { detail: WANTED.checkbox })
  if (isChecked(element) === wanted) return { is: 'plan', plan: 'same' }
  const isRadio = isInput(element) ? element.type === 'radio' : aria(element, 'role') === 'radio'
  if (isRadio && !wanted) {
    return failed('bad_value', { detail: 'true; another radio button of its group turns it off' })
  }
  return { is: 'plan', plan: 'click' }
}

function truth(value: string): boolean | undefined {
  const word = fold(value)
  if (word === 'true' || word === 'on' || word === 'checked') return true
  if (word === 'false' || word === 'off' || word === 'unchecked') return false
  return undefined
}

/**
 * Fills everything but toggles. The element is visible, enabled and editable. With `inPlace` an ordinary
 * text field has its text at once: nothing can come between the look and the text.
 */
export function fill(page: Page, element: Element, value: string, inPlace: boolean): Filled {
  if (isSelect(element)) return choose(page, element, [value], false)
  if (isInput(element) && !isTextField(element)) return setValue(page, element, value)
  if (isInput(element) && element.type === 'number' && value && !isNumber(value)) {
    return failed('bad_value', { detail: WANTED.number })
  }
  focus(element)
  selectContent(page, element)
  if (value === '') return { is: 'plan', plan: 'delete' }
  // A password has to be known as one before anybody has it; an editor wants Chrome's own events.
  const here = inPlace && isTextField(element) && !isSecret(page, element)
  const put = here && focusedElement(page.document) === element && insertText(page, element, value)
  return { is: 'plan', plan: put ? 'done' : 'insert' }
}

function isNumber(value: string): boolean {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
}

function setValue(page: Page, input: HTMLInputElement, value: string): Filled {
  const before = input.value
  const wanted = input.type === 'color' ? value.trim().toLowerCase() : value.trim()
  const setter = nativeSetter(page.window.HTMLInputElement.prototype, 'value')
  focus(input)
  setter.call(input, wanted)
  if (!sticks(input, wanted)) {
    setter.call(input, before)
    return failed('bad_value', { detail: wantedFor(input) })
  }
  if (input.value !== before) announce(page, input)
  return { is: 'plan', plan: 'done' }
}

function sticks(input: HTMLInputElement, wanted: string): boolean {
  if (input.type === 'range') return isNumber(wanted) && withinRange(input, Number(wanted))
  if (input.value === wanted) return true
  // `14:30` and `14:30:00` are the same time, and seconds may be left out of both.
  return input.value !== '' && wanted !== '' && wanted.startsWith(input.value)
}

function withinRange(input: HTMLInputElement, wanted: number): boolean {
  const low = input.min === '' ? 0 : Number(input.min)
  const high = input.max === '' ? 100 : Number(input.max)
  return wanted >= low && wanted <= high
}

function wantedFor(input: HTMLInputElement): string {
  const wanted = WANTED[input.type] ?? 'another value'
  if (input.type !== 'range') return wanted
  return `a number from ${input.min || 0} to ${input.max || 100}`
}

/** Chooses options by value or label, and by index where that is allowed. */
export function choose(
  page: Page,
  select: HTMLSelectElement,
  choices: readonly string[],
  byIndex: boolean,
): Filled {
  if (choices.length !== 1 && !select.multiple) {
    return failed('bad_value', { detail: 'one option' })
  }
  const chosen: HTMLOptionElement[] = []
  for (const choice of choices) {
    const option = findOption(select, choice, byIndex)
    if (!option) {
      const options = Array.from(select.options, (each) => cut(optionLabel(each), 80))
      return failed('no_such_option', { detail: choice, options: options.slice(0, SHOWN_OPTIONS) })
    }
    if (isOff(option))
      return failed('disabled', { detail: `option ${cut(optionLabel(option), 80)}` })
    chosen.push(option)
  }
  focus(select)
  const wanted = new Set(chosen)
  const options = Array.from(select.options)
  if (options.every((option) => option.selected === wanted.has(option))) {
    return { is: 'plan', plan: 'same' }
  }
  const setter = nativeSetter(page.window.HTMLOptionElement.prototype, 'selected')
  if (select.multiple) for (const option of options) setter.call(option, wanted.has(option))
  else setter.call(chosen[0], true)
  announce(page, select)
  return { is: 'plan', plan: 'done' }
}

function isOff(option: HTMLOptionElement): boolean {
  const parent = option.parentElement
  return option.disabled || (parent?.localName === 'optgroup' && parent.hasAttribute('disabled'))
}

/** By value, then by label, then by label whatever its case, then by index. */
function findOption(
  select: HTMLSelectElement,
  value: string,
  byIndex: boolean,
): HTMLOptionElement | undefined {
  const options = Array.from(select.options)
  return (
    options.find((option) => option.value === value) ??
    options.find((option) => optionLabel(option) === clean(value)) ??
    options.find((option) => fold(optionLabel(option)) === fold(value)) ??
    options.find((option) => fold(option.value) === fold(value)) ??
    (byIndex && /^\d+$/.test(value) ? options[Number(value)] : undefined)
  )
}

function nativeSetter(prototype: object, name: string): (value: unknown) => void {
  return Object.getOwnPropertyDescriptor(prototype, name)?.set as (value: unknown) => void
}

function announce(page: Page, element: Element): void {
  const { Event } = page.window
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}
