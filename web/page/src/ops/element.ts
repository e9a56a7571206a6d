/** `element`: the element itself, for the engine to hold by a handle; null if it is gone. */

import { isConnected } from '../dom.ts'
import type { ElementRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

export function element(page: Page, request: ElementRequest): Element | null {
  const found = page.elementOf(request.id)
  return found && isConnected(found) ? found : null
}
