/**
 * Scripts in addresses: whose press or key would run one.
 *
 * A link to `javascript:` and a form that is sent to it go nowhere: they run what is written there,
 * and the boundary denies that scheme on every route. What the page's own listeners do with a press is
 * the page's affair; `url.ts` tells the addresses that do nothing and are written all over the web.
 */

import {
  attribute,
  flatParent,
  focusedElement,
  formElements,
  isFrame,
  isHtml,
  localName,
  namespaceURI,
  SVG,
} from '../dom.ts'
import { isEditable, isInput } from '../fields.ts'
import type { Scan } from '../scan.ts'
import { runsScript } from '../url.ts'

/** The link or button that would run a script if `pressed` were: itself, or one around it. */
export function scriptPressed(scan: Scan, pressed: Element): Element | undefined {
  for (let at: Element | null = pressed; at; at = flatParent(at)) {
    if (runsScript(addressOf(scan, at))) return at
  }
  return undefined
}

/** What would run a script by a key on what has the focus; the frame to ask if that has it. */
export function scriptKeyed(scan: Scan, key: string): { script?: Element; frame?: Element } {
  const focused = focusedElement(scan.document)
  if (!focused) return {}
  if (isFrame(focused)) return { frame: focused }
  if (isButton(focused)) return { script: scriptPressed(scan, focused) }
  if (key !== 'Enter') return {}
  if (isLink(focused)) return { script: scriptPressed(scan, focused) }
  return isInput(focused) ? { script: sentByEnter(scan, focused) } : {}
}

/** Enter in a field presses the first button that sends its form; without one the form is sent. */
function sentByEnter(scan: Scan, field: HTMLInputElement): Element | undefined {
  const { form } = field
  if (!form) return undefined
  const button = Array.from(formElements(form)).find(sends)
  if (button) return scriptPressed(scan, button)
  return runsScript(sentTo(form)) ? field : undefined
}

/** Where a press on this element itself leads, as it is written. */
function addressOf(scan: Scan, element: Element): string | null {
  if (isLink(element)) {
    // A press in editable text sets the caret.
    if (isEditable(element)) return null
    return namespaceURI(element) === SVG
      ? (element as SVGAElement).href.animVal
      : attribute(element, 'href')
  }
  if (sends(element)) return sentBy(element)
  if (!isHtml(element, 'label')) return null
  const control = scan.labels.control(element)
  return control && sends(control) ? sentBy(control) : null
}

function isLink(element: Element): boolean {
  if (isHtml(element, 'a') || isHtml(element, 'area')) return true
  return localName(element) === 'a' && namespaceURI(element) === SVG
}

type Button = HTMLButtonElement | HTMLInputElement

const BUTTONS = new Set(['submit', 'image', 'button', 'reset', 'file', 'color'])

function isButton(element: Element): boolean {
  return isHtml(element, 'button') || (isInput(element) && BUTTONS.has(element.type))
}

/** Whether a press on it sends a form. */
function sends(element: Element): element is Button {
  if (!isHtml(element, 'button') && !isInput(element)) return false
  const { type } = element as Button
  return type === 'submit' || (type === 'image' && isInput(element))
}

function sentBy(button: Button): string | null {
  const { form } = button
  return form && sentTo(form, attribute(button, 'formaction'), attribute(button, 'formmethod'))
}

/** Through the attributes: a field named `action` shadows the property. */
function sentTo(
  form: Element,
  action: string | null = null,
  method: string | null = null,
): string | null {
  const closes = (method ?? attribute(form, 'method'))?.toLowerCase() === 'dialog'
  return closes ? null : (action ?? attribute(form, 'action'))
}
