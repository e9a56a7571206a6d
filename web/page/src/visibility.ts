/**
 * Whether a person can see an element.
 *
 * Two questions: `isRendered` (has a box and is not `visibility: hidden`; enough to be pressed) and
 * `isSeen` (also not transparent, not clipped away, not off the canvas). The snapshot answers the
 * second for a whole tree at a time with `Clip`, this file for one element.
 */

import { areaBox, imageOf, isArea } from './areas.ts'
import {
  boundingBox,
  checkVisibility,
  clientRects,
  createRange,
  flatParent,
  localName,
  nodeType,
  parentNode,
} from './dom.ts'
import type { Page } from './page-state.ts'
import type { Style } from './scan.ts'

/** A part of the page's canvas in viewport coordinates. */
export interface Clip {
  left: number
  top: number
  right: number
  bottom: number
}

export const EVERYWHERE: Clip = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
}

/** What scrolling the document can show: nothing left of or above its origin. */
export function canvas(window: Window): Clip {
  return { ...EVERYWHERE, left: -window.scrollX, top: -window.scrollY }
}

export function viewport(window: Window): Clip {
  return { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight }
}

export function intersect(a: Clip, b: Clip): Clip {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
}

/** Wider and higher than a pixel: `1px` clips are how pages hide text from the eye alone. */
export function hasArea(clip: Clip): boolean {
  return clip.right - clip.left > 1 && clip.bottom - clip.top > 1
}

export function isEmptyBox(box: { width: number; height: number }): boolean {
  return box.width <= 0 || box.height <= 0
}

/** Whether content outside the box cannot be reached by scrolling it. */
export function clipsContent(overflow: string): boolean {
  return overflow !== 'visible' && /hidden|clip/.test(overflow)
}

export function scrollsContent(overflow: string): boolean {
  return /auto|scroll/.test(overflow)
}

export function isPositioned(style: Style): boolean {
  return style.position !== 'static'
}

/** Has a box that could be pressed; it may still be covered, transparent or out of view. */
export function isRendered(page: Page, element: Element): boolean {
  if (isArea(element)) return isOnImage(element, (image) => isRendered(page, image))
  return checkVisibility(element, VISIBILITY) && !isEmptyBox(boxOf(page, element))
}

const VISIBILITY: CheckVisibilityOptions = { visibilityProperty: true }
const OPACITY: CheckVisibilityOptions = { visibilityProperty: true, opacityProperty: true }

/** A person can see it, perhaps after scrolling. */
export function isSeen(page: Page, element: Element): boolean {
  if (isArea(element)) return isOnImage(element, (image) => isSeen(page, image))
  if (!checkVisibility(element, OPACITY)) return isShownContents(page, element)
  const box = boxOf(page, element)
  if (isEmptyBox(box)) return false
  const left = intersect(box, ancestorClip(page, element))
  return left.right - left.left > 1 - Number(box.width <= 1) && left.bottom - left.top > 0
}

function isOnImage(area: Element, test: (image: Element) => boolean): boolean {
  const image = imageOf(area)
  return !!image && test(image) && !isEmptyBox(areaBox(area))
}

/** `display: contents` has no box of its own; what it holds may be there. */
function isShownContents(page: Page, element: Element): boolean {
  if (page.window.getComputedStyle(element).display !== 'contents') return false
  const parent = flatParent(element)
  return !!parent && checkVisibility(parent, OPACITY) && !isEmptyBox(boxOf(page, element))
}

/** Its box; for elements without one of their own, that of their content. */
export function boxOf(page: Page, element: Element): DOMRect {
  const box = boundingBox(element)
  if (!isEmptyBox(box)) return box
  if (isArea(element)) return areaBox(element)
  for (const rect of clientRects(element)) if (!isEmptyBox(rect)) return rect
  if (page.window.getComputedStyle(element).display !== 'contents') return box
  const range = createRange(page.document)
  range.selectNodeContents(element)
  return range.getBoundingClientRect()
}

/** What the boxes around an element let through. */
function ancestorClip(page: Page, element: Element): Clip {
  const { window } = page
  let clip = EVERYWHERE
  let position = window.getComputedStyle(element).position
  for (let at = flatParent(element), steps = 0; at && steps < 1000; at = flatParent(at)) {
    steps += 1
    if (position === 'fixed') return intersect(clip, viewport(window))
    const style = window.getComputedStyle(at)
    const escapes = position === 'absolute' && style.position === 'static'
    if (!escapes) {
      position = style.position
      if (isRootScroller(at)) break
      if (clipsContent(style.overflow)) clip = intersect(clip, boundingBox(at))
      else if (scrollsContent(style.overflow)) return EVERYWHERE
    }
  }
  return intersect(clip, canvas(window))
}

/** `overflow` on the root and the body belongs to the viewport. */
export function isRootScroller(element: Element): boolean {
  const parent = parentNode(element)
  if (!parent || nodeType(parent) === 9) return true
  if (localName(element) !== 'body') return false
  const root = parentNode(parent)
  return !!root && nodeType(root) === 9
}
