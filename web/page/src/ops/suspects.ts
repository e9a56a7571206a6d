/** `suspects`: the elements that may hide a closed shadow root, for the engine to ask about. */

import { boundingBox } from '../dom.ts'
import type { Page } from '../page-state.ts'
import { takeSuspects } from '../snapshot/hosts.ts'

export function suspects(page: Page): Element[] {
  return takeSuspects(page, boundingBox)
}
