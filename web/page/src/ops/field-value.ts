/** `fieldValue`: what stands in a field now, passwords as a length. */

import { innerText } from '../dom.ts'
import { fieldText, isEditable, isField, isSecret, isToggle } from '../fields.ts'
import type { ElementRequest, FieldValue } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { characters, wellFormed } from '../text.ts'

export function fieldValue(page: Page, request: ElementRequest): FieldValue {
  const element = page.elementOf(request.id)
  if (!element) return { value: '', length: 0, secret: false }
  const secret = isSecret(page, element)
  const content =
    !isField(element) && !isToggle(element) && isEditable(element)
      ? innerText(element as HTMLElement)
      : fieldText(element)
  const value = wellFormed(content)
  return { value: secret ? '' : value, length: characters(value), secret }
}
