/** `filled`: what the field holds that `fill` has put text into, asked along with the filling itself. */

import type { FieldValue, FilledRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { heldBy } from './field-value.ts'

/** Nothing if that call has put in nothing so far. */
export function filled(page: Page, request: FilledRequest): FieldValue | undefined {
  if (page.filled?.token !== request.token) return undefined
  return heldBy(page, page.filled.element.deref())
}
