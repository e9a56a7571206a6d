/** `find`: how many elements match, at once, and which. */

import { named } from '../describe.ts'
import type { FindReply, FindRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { outermost, resolve } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { isSeen } from '../visibility.ts'

export function find(page: Page, request: FindRequest): FindReply {
  const scan = createScan(page)
  const found = resolve(scan, request.query)
  if (found.is !== 'matches') return found
  const { elements, whole } = found
  const seen = elements.filter((element) => isSeen(page, element))
  const counted = request.seen ? outermost(seen) : elements
  const matches = counted.slice(0, request.limit).map((element) => named(scan, element))
  return { is: 'found', count: counted.length, visible: seen.length, whole, matches }
}
