/**
 * `suspects`: elements for the engine to ask Chrome about, each followed by what to ask: whether it
 * hides a closed shadow root, what it says of itself by `ElementInternals`.
 */

import { boundingBox } from '../dom.ts'
import type { SuspectsRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { isLight, takeSuspects } from '../snapshot/hosts.ts'
import { searchStrangers, takeStrangers } from '../snapshot/strangers.ts'

const ROOT = 1
const INTERNALS = 2

export function suspects(page: Page, { search, others }: SuspectsRequest): (Element | number)[] {
  const asked = new Map<Element, number>()
  if (search) searchStrangers(page)
  else for (const element of takeSuspects(page, others, boundingBox)) asked.set(element, ROOT)
  for (const element of takeStrangers(page)) {
    if (isLight(element)) asked.set(element, (asked.get(element) ?? 0) | INTERNALS)
  }
  return [...asked].flat()
}
