/** `elementAt`: what would receive the mouse at a point, and the point inside it if it is a frame. */

import { named } from '../describe.ts'
import { elementAt, isFrame } from '../dom.ts'
import type { ElementAtReply, Offset } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { scriptPressed } from '../ready/script-address.ts'
import { createScan } from '../scan.ts'
import { innerPoint } from './frame-point.ts'

export function pointed(page: Page, point: Offset): ElementAtReply {
  const found = elementAt(page.document, point.x, point.y)
  if (!found) return {}
  const scan = createScan(page)
  const element = named(scan, found)
  if (isFrame(found)) return { element, inner: innerPoint(page, found, point) }
  const script = scriptPressed(scan, found)
  return { element, script: script && named(scan, script) }
}
