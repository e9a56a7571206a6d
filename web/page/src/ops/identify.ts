/** `identify`: the number of an element the engine holds by a handle. */

import type { Page } from '../page-state.ts'

export function identify(page: Page, element: Element): number {
  return page.idOf(element)
}
