/** `find`: how many elements match, at once. */

import { named } from '../describe.ts'
import type { FindReply, FindRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { resolve } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { isSeen } from '../visibility.ts'

export function find(page: Page, request: FindRequest): FindReply {
  const scan = createScan(page)
  const found = resolve(scan, request.query)
  if (found.is !== 'matches') return found
  const { elements } = found
  let visible = 0
  for (const element of elements) if (isSeen(page, element)) visible += 1
  const matches = elements.slice(0, request.limit).map((element) => named(scan, element))
  return { is: 'found', count: elements.length, visible, matches }
}
