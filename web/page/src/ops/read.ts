/**
 * `read`: one property of one element, once the element exists.
 */

import { named } from '../describe.ts'
import {
  attribute,
  boundingBox,
  HTML,
  innerHTML,
  innerText,
  namespaceURI,
  outerHTML,
  textContent,
} from '../dom.ts'
import { failed } from '../failed.ts'
import { isChecked, isDisabled, isEditable, isField, isSecret } from '../fields.ts'
import { linksIn } from '../links.ts'
import { maskedHtml, maskedLength } from '../masked.ts'
import type { FieldValue, ReadReply, ReadRequest, ReadValue } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToRead } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { characters, wellFormed } from '../text.ts'
import { isSeen } from '../visibility.ts'
import { startWaiting } from '../waiting.ts'
import { likely } from './ready.ts'

export async function read(page: Page, request: ReadRequest): Promise<ReadReply> {
  const waiting = startWaiting(page, request.token, request.timeout)
  try {
    for (;;) {
      const scan = createScan(page)
      const picked = pickToRead(scan, request.query)
      if (picked.is === 'frame') return picked
      if (picked.is === 'one') {
        const element = named(scan, picked.element)
        return { is: 'value', element, value: property(page, picked.element, request) }
      }
      if (picked.why !== 'not_found') return picked
      if (request.what === 'visible') return { is: 'value', element: NOBODY, value: false }
      if (!(await waiting.change())) {
        if (waiting.cancelled) return failed('cancelled')
        return { ...picked, similar: likely(page, request.query) }
      }
    }
  } finally {
    waiting.end()
  }
}

const NOBODY = { id: 0, what: '' }

function property(page: Page, element: Element, request: ReadRequest): ReadValue {
  switch (request.what) {
    case 'text':
      return wellFormed(textContent(element) ?? '')
    case 'innerText':
      return wellFormed(
        namespaceURI(element) === HTML
          ? innerText(element as HTMLElement)
          : (textContent(element) ?? ''),
      )
    case 'innerHtml':
      return maskedHtml(page, element, innerHTML(element))
    case 'outerHtml':
      return maskedHtml(page, element, outerHTML(element))
    case 'links':
      return linksIn(page, element)
    case 'value':
      return fieldContent(page, element, request.reveal)
    case 'attribute': {
      const name = request.attribute ?? ''
      const value = attribute(element, name)
      if (value === null) return null
      const secret = name.toLowerCase() === 'value' && isSecret(page, element)
      return secret ? maskedLength(value) : wellFormed(value)
    }
    case 'visible':
      return isSeen(page, element)
    case 'enabled':
      return !isDisabled(element)
    case 'checked':
      return isChecked(element) ?? null
    case 'box': {
      const { x, y, width, height } = boundingBox(element)
      return { x, y, width, height }
    }
  }
}

/** The value as the form would send it, of a secret its length; null where there is none. */
function fieldContent(page: Page, element: Element, reveal: boolean): FieldValue | null {
  const secret = isSecret(page, element) && !reveal
  let content: string
  if (isField(element)) content = element.value
  else if (isEditable(element)) content = innerText(element as HTMLElement)
  else return null
  const value = wellFormed(content)
  return { value: secret ? '' : value, length: characters(value), secret }
}
