/** `framePoint`: a point of a child frame in this frame's coordinates. */

import { named } from '../describe.ts'
import {
  boundingBox,
  clientLeft,
  clientTop,
  elementAt,
  isConnected,
  isInside,
  offsetWidth,
} from '../dom.ts'
import { failed } from '../failed.ts'
import type { FramePointReply, FramePointRequest, Offset } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { inViewport, nameCover } from '../ready/hit.ts'
import { scrollTo } from '../ready/scroll.ts'
import { createScan } from '../scan.ts'

export function framePoint(page: Page, request: FramePointRequest): FramePointReply {
  const scan = createScan(page)
  const frame = page.elementOf(request.id)
  if (!frame || !isConnected(frame)) {
    return failed('stale', {
      element: { id: request.id, what: page.recall(request.id) ?? 'iframe' },
    })
  }
  let point = outer(page, frame, request)
  if (!request.still && !inViewport(scan, point.x, point.y)) {
    scrollTo(frame, 'center')
    point = outer(page, frame, request)
    if (!inViewport(scan, point.x, point.y)) {
      // A frame higher than the window: its middle is not where the point is.
      page.window.scrollBy({
        left: point.x - page.window.innerWidth / 2,
        top: point.y - page.window.innerHeight / 2,
        behavior: 'instant',
      })
      point = outer(page, frame, request)
    }
  }
  if (request.hit) {
    const top = elementAt(page.document, point.x, point.y)
    if (!top) return failed('outside_viewport', { element: named(scan, frame) })
    if (!isInside(top, frame)) {
      const detail = nameCover(scan, top, frame)
      return failed('covered', { element: named(scan, frame), detail })
    }
  }
  return { is: 'point', ...point }
}

function outer(page: Page, frame: Element, inner: Offset): Offset {
  const { left, top, scale } = originOf(page, frame)
  return { x: left + inner.x * scale, y: top + inner.y * scale }
}

/** The other way round: a point of this viewport in that of a frame. */
export function innerPoint(page: Page, frame: Element, { x, y }: Offset): Offset {
  const { left, top, scale } = originOf(page, frame)
  return { x: (x - left) / scale, y: (y - top) / scale }
}

/** The child's viewport starts inside border and padding and is scaled as its element is. */
function originOf(page: Page, frame: Element): { left: number; top: number; scale: number } {
  const box = boundingBox(frame)
  const layoutWidth = offsetWidth(frame as HTMLElement)
  const scale = layoutWidth > 0 && box.width > 0 ? box.width / layoutWidth : 1
  const style = page.window.getComputedStyle(frame)
  const padding = (side: string) => Number.parseFloat(side) || 0
  return {
    left: box.left + (clientLeft(frame) + padding(style.paddingLeft)) * scale,
    top: box.top + (clientTop(frame) + padding(style.paddingTop)) * scale,
    scale,
  }
}
