/** `cancel`: end a running `ready`, `read`, `wait` or `settle`. */

import type { CancelRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

/** Tokens of waits that never came must not pile up. */
const REMEMBERED = 100

export function cancel(page: Page, request: CancelRequest): { cancelled: boolean } {
  const end = page.waits.get(request.token)
  if (end) {
    end()
    return { cancelled: true }
  }
  // It may be on its way: commands can overtake each other on the way to the page.
  page.cancelled.add(request.token)
  for (const token of page.cancelled) {
    if (page.cancelled.size <= REMEMBERED) break
    page.cancelled.delete(token)
  }
  return { cancelled: false }
}
