/**
 * `scroll`: move what scrolls, at once.
 *
 * The element itself if it scrolls that way, else the nearest around it that does, else the page.
 */

import {
  clientHeight,
  clientWidth,
  elementAt,
  flatParent,
  isConnected,
  queryAll,
  scrollHeight,
  scrollingElement,
  scrollWidth,
} from '../dom.ts'
import type { ScrollReply, ScrollRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { scrollTo } from '../ready/scroll.ts'
import { isRootScroller, scrollsContent } from '../visibility.ts'
import { nextFrame } from '../waiting.ts'

/** A frame that does not come must not hold the answer up. */
const STALLED_FRAME = 50

export async function scroll(page: Page, request: ScrollRequest): Promise<ScrollReply> {
  const element = request.id === undefined ? undefined : page.elementOf(request.id)
  const scroller = scrollerOf(page, element, axisOf(request.by))
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

type Axis = 'x' | 'y'

function axisOf(by: ScrollRequest['by']): Axis {
  return typeof by === 'object' && by.pixels[0] !== 0 && by.pixels[1] === 0 ? 'x' : 'y'
}

/** The element itself if it scrolls that way, else the nearest around it that does. */
function scrollerOf(page: Page, element: Element | undefined, axis: Axis): Element {
  const root = scrollingElement(page.document) ?? page.document.documentElement
  if (element) return around(page, element, axis) ?? root
  if (isLarger(root, axis)) return root
  // A page that fills the window has what scrolls inside: the part in the middle, or the largest.
  const { innerWidth, innerHeight } = page.window
  const middle = elementAt(page.document, innerWidth / 2, innerHeight / 2)
  return (middle && around(page, middle, axis)) ?? largest(page, axis) ?? root
}

function around(page: Page, element: Element, axis: Axis): Element | undefined {
  for (let at: Element | null = element, steps = 0; at && steps < 500; steps += 1) {
    if (scrolls(page, at, axis, at === element)) return at
    at = flatParent(at)
  }
  return undefined
}

/** How many elements are asked whether they scroll. */
const LOOKS = 5000

function largest(page: Page, axis: Axis): Element | undefined {
  let [found, size]: [Element | undefined, number] = [undefined, 0]
  for (const element of Array.from(queryAll(page.document, 'body *')).slice(0, LOOKS)) {
    if (!isLarger(element, axis) || !scrolls(page, element, axis, false)) continue
    const own = clientWidth(element) * clientHeight(element)
    if (own > size) [found, size] = [element, own]
  }
  return found
}

function isLarger(element: Element, axis: Axis): boolean {
  return axis === 'x'
    ? scrollWidth(element) > clientWidth(element)
    : scrollHeight(element) > clientHeight(element)
}

/** `asked`: somebody means this element, which a script may scroll where a hand could not. */
function scrolls(page: Page, element: Element, axis: Axis, asked: boolean): boolean {
  if (!isLarger(element, axis) || isRootScroller(element)) return false
  const { overflowX, overflowY } = page.window.getComputedStyle(element)
  const overflow = axis === 'x' ? overflowX : overflowY
  return scrollsContent(overflow) || (asked && overflow === 'hidden')
}
