/** `identify`: the number of an element the engine holds by a handle. */

import type { Page } from '../page-state.ts'

export function identify(page: Page, _request: unknown, nodes: readonly Node[]): number {
  return page.idOf(nodes[0] as Element)
}
