/** `boxes`: where elements are, from this frame's viewport, those of them that can be seen. */

import { isConnected } from '../dom.ts'
import type { Page } from '../page-state.ts'
import type { Boxes, BoxesRequest } from '../picture-messages.ts'
import { boxOf, isSeen } from '../visibility.ts'

export function boxes(page: Page, request: BoxesRequest): Boxes {
  const found: Boxes = []
  for (const id of request.ids) {
    const element = page.elementOf(id)
    if (!element || !isConnected(element) || !isSeen(page, element)) continue
    const { x, y, width, height } = boxOf(page, element)
    found.push([id, x, y, width, height])
  }
  return found
}
