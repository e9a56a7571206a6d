/** `focusOwner`: gives a frame element the focus, so that keys go to its document. */

import { focusElement, focusedElement, isConnected } from '../dom.ts'
import type { ElementRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

export function focusOwner(page: Page, request: ElementRequest): { focused: boolean } {
  const frame = page.elementOf(request.id)
  if (!frame || !isConnected(frame)) return { focused: false }
  // Focusing it again would take the focus from the field inside.
  if (focusedElement(page.document) !== frame) {
    focusElement(frame, { preventScroll: true })
  }
  return { focused: focusedElement(page.document) === frame }
}
