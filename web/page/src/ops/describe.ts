/** `describe`: what an element is or was, and what looks like it now if it is gone. */

import { nameOf } from '../aria/name.ts'
import { roleOf } from '../aria/roles.ts'
import { named, similarTo } from '../describe.ts'
import { isConnected } from '../dom.ts'
import type { Description, ElementRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { createScan } from '../scan.ts'
import { wellFormed } from '../text.ts'

export function describe(page: Page, request: ElementRequest): Description {
  const scan = createScan(page)
  const element = page.elementOf(request.id)
  if (element && isConnected(element)) {
    const { what } = named(scan, element)
    const [role, name] = [roleOf(scan, element), wellFormed(nameOf(scan, element))]
    return { what, role, name, connected: true, similar: [] }
  }
  const what = page.recall(request.id) ?? ''
  return { what, role: '', name: '', connected: false, similar: what ? similarTo(scan, what) : [] }
}
