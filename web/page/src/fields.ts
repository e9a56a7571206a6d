/**
 * Form fields: what kind one is, what stands in it, whether it can be changed.
 */

import { aria } from './aria/internals.ts'
import {
  attribute,
  closest,
  flatParent,
  HTML,
  isContentEditable,
  isHtml,
  localName,
  matches,
  namespaceURI,
} from './dom.ts'
import type { Page } from './page-state.ts'

/** Input types whose content is typed as text. */
const TYPED = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number'])

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function isField(element: Element): element is Field {
  if (namespaceURI(element) !== HTML) return false
  const name = localName(element)
  return name === 'input' || name === 'textarea' || name === 'select'
}

export function isInput(element: Element): element is HTMLInputElement {
  return isHtml(element, 'input')
}

export function isSelect(element: Element): element is HTMLSelectElement {
  return isHtml(element, 'select')
}

/** An input or textarea that keys can be typed into. */
export function isTextField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return isHtml(element, 'textarea') || (isInput(element) && TYPED.has(element.type))
}

/** Roles that are on or off, for elements that are no inputs. */
const SWITCHES = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio'])

/** A check box, radio button or switch, native or by role. */
export function isToggle(element: Element): boolean {
  if (isInput(element)) return element.type === 'checkbox' || element.type === 'radio'
  const role = aria(element, 'role')
  return role !== null && SWITCHES.has(role.trim().toLowerCase())
}

export function isEditable(element: Element): boolean {
  return namespaceURI(element) === HTML && isContentEditable(element as HTMLElement)
}

/** Its own words must never be shown: passwords, also those a page shows as text. */
export function isSecret(page: Page, element: Element): boolean {
  if (!isInput(element)) return false
  if (element.type === 'password') {
    page.secrets.add(element)
    return true
  }
  if (page.secrets.has(element)) return true
  const hint = attribute(element, 'autocomplete')
  if (hint && SECRET_HINT.test(hint)) return true
  return (
    TYPED.has(element.type) &&
    NAMES.some((name) => SECRET_NAME.test(attribute(element, name) ?? ''))
  )
}

/** What a form says of a field that holds a secret. */
export const SECRET_HINT = /\b(current-password|new-password|cc-csc)\b/i

/** A password shown as text before we came still goes by its name. */
const NAMES = ['name', 'id']
export const SECRET_NAME = /(^|[-_.[\s])(password|passwd|passphrase|passcode|pwd)\d?\]?$/i

/** What stands in a field, as text. */
export function fieldText(element: Element): string {
  if (isToggle(element)) return String(isChecked(element) ?? false)
  if (isSelect(element)) {
    return Array.from(element.selectedOptions, (option) => option.label || option.text).join(', ')
  }
  if (isField(element)) return element.value
  return aria(element, 'aria-valuetext') ?? aria(element, 'aria-valuenow') ?? ''
}

/** Disabled by itself, its fieldset, or an `aria-disabled` around it. */
export function isDisabled(element: Element, ariaToo = true): boolean {
  const control = closest(element, 'button,input,select,textarea,option,optgroup,fieldset')
  if (control && control === element && matches(control, ':disabled')) return true
  // A press on the icon of a disabled button does nothing either.
  if (control && isHtml(control, 'button') && matches(control, ':disabled')) return true
  if (!ariaToo) return false
  for (let at: Element | null = element, steps = 0; at && steps < 200; steps += 1) {
    const value = aria(at, 'aria-disabled')
    if (value === 'true') return true
    if (value === 'false') return false
    at = flatParent(at)
  }
  return false
}

export function isReadOnly(element: Element): boolean {
  if (isField(element) && !isSelect(element) && element.readOnly) return true
  return aria(element, 'aria-readonly') === 'true'
}

export function isChecked(element: Element): boolean | undefined {
  if (isInput(element) && isToggle(element)) return element.checked
  if (isHtml(element, 'option')) return (element as HTMLOptionElement).selected
  for (const name of ['aria-checked', 'aria-selected', 'aria-pressed']) {
    const value = aria(element, name)
    if (value !== null) return value === 'true'
  }
  return undefined
}
