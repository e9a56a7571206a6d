/** `describe`: what an element is or was, and what looks like it now if it is gone. */

import { named, similarTo } from '../describe.ts'
import { isConnected } from '../dom.ts'
import type { Description, ElementRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { createScan } from '../scan.ts'

export function describe(page: Page, request: ElementRequest): Description {
  const scan = createScan(page)
  const element = page.elementOf(request.id)
  if (element && isConnected(element)) {
    return { what: named(scan, element).what, connected: true, similar: [] }
  }
  const what = page.recall(request.id) ?? ''
  return { what, connected: false, similar: what ? similarTo(scan, what) : [] }
}
