/**
 * `root`: the document, for the engine to hold by a handle.
 *
 * Null where there are so many elements that asking about each of them takes too long.
 */

import { queryAll } from '../dom.ts'
import type { Page } from '../page-state.ts'

const ELEMENTS = 100_000

export function root(page: Page): Document | null {
  return queryAll(page.document, '*').length > ELEMENTS ? null : page.document
}
