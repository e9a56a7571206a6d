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
import { isChecked, isDisabled, isEditable, isField, isSecret, isSelect } from '../fields.ts'
import type { ReadReply, ReadRequest, ReadValue } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToRead } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { wellFormed } from '../text.ts'
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
      return wellFormed(innerHTML(element))
    case 'outerHtml':
      return wellFormed(outerHTML(element))
    case 'value':
      return fieldContent(page, element)
    case 'attribute': {
      const value = attribute(element, request.attribute ?? '')
      return value === null ? null : wellFormed(value)
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

/** The value as the form would send it; nothing of a secret, nothing where there is none. */
function fieldContent(page: Page, element: Element): string | null {
  if (isSecret(page, element)) return null
  if (isSelect(element)) return wellFormed(element.value)
  if (isField(element)) return wellFormed(element.value)
  if (isEditable(element)) return wellFormed(innerText(element as HTMLElement))
  return null
}
