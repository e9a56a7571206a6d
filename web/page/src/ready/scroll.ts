/**
 * Bringing an element into view, without moving the page when there is no need.
 */

import { imageOf, isArea } from '../areas.ts'
import { boundingBox, flatParent, scrollIntoView } from '../dom.ts'
import type { Offset } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { boxOf, type Clip, intersect, isRootScroller, viewport } from '../visibility.ts'

export type Alignment = 'center' | 'start' | 'end'

/** Scrolls everything around the element at once, never smoothly. */
export function scrollTo(element: Element, block: Alignment): void {
  const drawn = isArea(element) ? (imageOf(element) ?? element) : element
  scrollIntoView(drawn, { block, inline: 'center', behavior: 'instant' })
}

/** Whether the point to press is shown by the viewport and every scroller around the element. */
export function isInView(page: Page, element: Element, position: Offset | undefined): boolean {
  const box = boxOf(page, element)
  const view = visiblePart(page, element)
  if (position) {
    return contains(view, box.left + position.x, box.top + position.y)
  }
  const seen = intersect(box, view)
  const wide = seen.right - seen.left
  const high = seen.bottom - seen.top
  if (wide <= 0 || high <= 0) return false
  // Enough of it to press: all of it, or a fair piece of something large.
  return (
    contains(view, box.left + box.width / 2, box.top + box.height / 2) || (wide >= 40 && high >= 40)
  )
}

function contains(clip: Clip, x: number, y: number): boolean {
  return x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom
}

/** What the viewport and the boxes around an element leave to be seen. */
function visiblePart(page: Page, element: Element): Clip {
  let clip = viewport(page.window)
  const drawn = isArea(element) ? (imageOf(element) ?? element) : element
  let position = page.window.getComputedStyle(drawn).position
  for (let at = flatParent(drawn), steps = 0; at && steps < 1000; at = flatParent(at)) {
    steps += 1
    if (position === 'fixed') break
    const style = page.window.getComputedStyle(at)
    if (position === 'absolute' && style.position === 'static') continue
    position = style.position
    if (style.overflow !== 'visible' && !isRootScroller(at)) clip = intersect(clip, boundingBox(at))
  }
  return clip
}

/** Whether it stays where it is when the page scrolls. */
export function isStuck(page: Page, element: Element): boolean {
  for (let at: Element | null = element, steps = 0; at && steps < 100; steps += 1) {
    const { position } = page.window.getComputedStyle(at)
    if (position === 'fixed' || position === 'sticky') return true
    at = flatParent(at)
  }
  return false
}
