/** `internals`: what Chrome says of custom elements, by its ids, with those that are news. */

import type { InternalsReply, InternalsRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { learnInternals } from '../snapshot/strangers.ts'

export function internals(
  page: Page,
  request: InternalsRequest,
  nodes: readonly Node[],
): InternalsReply {
  return learnInternals(page, request, nodes)
}
