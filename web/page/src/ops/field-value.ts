/** `fieldValue`: what stands in a field now, passwords as a length. */

import { innerText } from '../dom.ts'
import { isEditable, isField, isSecret, isToggle, valueOf } from '../fields.ts'
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
      : valueOf(element)
  const value = wellFormed(content)
  return { value: secret ? '' : value, length: characters(value), secret }
}
