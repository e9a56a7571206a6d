/** `listeners`: who listens for clicks, by Chrome's ids, with the elements that are news. */

import { learn } from '../listeners.ts'
import type { ListenersRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

/** Whether the outline may be another now. */
export function listeners(page: Page, request: ListenersRequest, nodes: readonly Node[]): boolean {
  return learn(page, request.ids, request.fresh, nodes)
}
