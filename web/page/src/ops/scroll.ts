/**
 * `scroll`: move what scrolls, at once.
 *
 * The element itself if it scrolls, else the nearest around it that does, else the page.
 */

import {
  clientHeight,
  flatParent,
  isConnected,
  scrollHeight,
  scrollingElement,
  scrollWidth,
} from '../dom.ts'
import type { ScrollReply, ScrollRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { scrollTo } from '../ready/scroll.ts'
import { nextFrame } from '../waiting.ts'

/** A frame that does not come must not hold the answer up. */
const STALLED_FRAME = 50

export async function scroll(page: Page, request: ScrollRequest): Promise<ScrollReply> {
  const element = request.id === undefined ? undefined : page.elementOf(request.id)
  const scroller = scrollerOf(page, element)
  const before = [scroller.scrollLeft, scroller.scrollTop]
  if (request.by === 'intoView') {
    if (element && isConnected(element)) scrollTo(element, 'center')
  } else {
    const instant = { behavior: 'instant' } as const
    if (request.by === 'top') scroller.scrollTo({ top: 0, ...instant })
    else if (request.by === 'bottom') scroller.scrollTo({ top: scrollHeight(scroller), ...instant })
    else scroller.scrollBy({ left: request.by.pixels[0], top: request.by.pixels[1], ...instant })
  }
  // Lists that render what is in view do so in the next frame.
  await nextFrame(page, STALLED_FRAME)
  const { scrollLeft, scrollTop } = scroller
  return {
    x: Math.round(scrollLeft),
    y: Math.round(scrollTop),
    moved: scrollLeft !== before[0] || scrollTop !== before[1],
    more: scrollTop + clientHeight(scroller) < scrollHeight(scroller) - 1,
  }
}

function scrollerOf(page: Page, element: Element | undefined): Element {
  for (let at: Element | null = element ?? null, steps = 0; at && steps < 500; steps += 1) {
    if (scrolls(page, at)) return at
    at = flatParent(at)
  }
  return scrollingElement(page.document) ?? page.document.documentElement
}

function scrolls(page: Page, element: Element): boolean {
  const larger =
    scrollHeight(element) > clientHeight(element) || scrollWidth(element) > element.clientWidth
  if (!larger) return false
  const { overflowX, overflowY } = page.window.getComputedStyle(element)
  return /auto|scroll|hidden/.test(overflowX + overflowY) && element !== page.document.body
}
