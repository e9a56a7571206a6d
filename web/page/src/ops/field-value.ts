/** `fieldValue`: what stands in a field now, passwords as a length. */

import { innerText, isConnected } from '../dom.ts'
import { fieldText, isEditable, isField, isSecret, isToggle } from '../fields.ts'
import { chosenText, isList } from '../lists.ts'
import type { ElementRequest, FieldValue } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { createScan } from '../scan.ts'
import { characters, wellFormed } from '../text.ts'

export function fieldValue(page: Page, request: ElementRequest): FieldValue {
  return heldBy(page, page.elementOf(request.id))
}

/** The same for an element. */
export function heldBy(page: Page, element: Element | undefined): FieldValue {
  if (!element || !isConnected(element)) return { value: '', length: 0, secret: false, gone: true }
  const secret = isSecret(page, element)
  const value = wellFormed(contentOf(page, element))
  return { value: secret ? '' : value, length: characters(value), secret }
}

function contentOf(page: Page, element: Element): string {
  if (isField(element) || isToggle(element)) return fieldText(element)
  if (isEditable(element)) return innerText(element as HTMLElement)
  const scan = createScan(page)
  return isList(scan, element) ? chosenText(scan, element) : fieldText(element)
}
