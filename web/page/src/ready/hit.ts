/**
 * Where to press the mouse to hit an element, or what is in the way.
 *
 * Asks the browser instead of comparing z-indexes: only `elementFromPoint` knows about overlays,
 * clipping and `pointer-events`.
 */

import { areaBox, isArea } from '../areas.ts'
import { nameOf } from '../aria/name.ts'
import { roleOf } from '../aria/roles.ts'
import { describe } from '../describe.ts'
import {
  boundingBox,
  clientRects,
  closest,
  elementAt,
  flatParent,
  isHtml,
  isInside,
  matches,
} from '../dom.ts'
import type { Offset } from '../messages.ts'
import type { Scan } from '../scan.ts'
import { boxOf, type Clip, hasArea, intersect, isEmptyBox, viewport } from '../visibility.ts'

export interface Hit {
  is: 'hit'
  x: number
  y: number
  /** What would receive the mouse there. */
  top?: Element
  /** Nothing of this document lies over that point. */
  tested?: boolean
}

export type Aim = Hit | { is: 'covered'; by: Element } | { is: 'outside' }

/** Parts of a box to try, middle first: a badge or a sticky bar often covers just the middle. */
const FRACTIONS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.15, 0.2],
  [0.85, 0.8],
  [0.85, 0.2],
  [0.15, 0.8],
]

/** A point of `target` at which it, or something that acts for it, would receive the mouse. */
export function aim(scan: Scan, target: Element, position: Offset | undefined): Aim {
  const points = position ? [pointAt(target, position)] : pointsOf(scan, target)
  let cover: Element | undefined
  for (const { x, y } of points) {
    if (!inViewport(scan, x, y)) continue
    const top = elementAt(scan.document, x, y)
    if (top && receives(scan, top, target)) return { is: 'hit', x, y, top }
    cover ??= top ?? undefined
  }
  return cover ? { is: 'covered', by: cover } : { is: 'outside' }
}

export function pointAt(target: Element, position: Offset): Offset {
  const box = isArea(target) ? areaBox(target) : boundingBox(target)
  return { x: box.left + position.x, y: box.top + position.y }
}

/** Points to try, all in what can be seen of the first line of the box. */
function pointsOf(scan: Scan, target: Element): Offset[] {
  const points: Offset[] = []
  const view = viewport(scan.page.window)
  for (const rect of visibleRects(scan, target).slice(0, 4)) {
    const seen: Clip = intersect(rect, view)
    const area = hasArea(seen) ? seen : rect
    for (const [fx, fy] of FRACTIONS) {
      points.push({
        x: area.left + (area.right - area.left) * fx,
        y: area.top + (area.bottom - area.top) * fy,
      })
    }
  }
  return points
}

/** A link over two lines has a box for each; the middle of both together is beside it. */
function visibleRects(scan: Scan, target: Element): DOMRect[] {
  const rects: DOMRect[] = []
  const all = clientRects(target)
  for (let at = 0; at < Math.min(all.length, 50); at += 1) {
    const rect = all[at]!
    if (!isEmptyBox(rect)) rects.push(rect)
  }
  return rects.length > 0 ? rects : [boxOf(scan.page, target)]
}

export function inViewport(scan: Scan, x: number, y: number): boolean {
  const { innerWidth, innerHeight } = scan.page.window
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
}

/** Whether a press that lands on `top` does what a press on `target` would. */
export function receives(scan: Scan, top: Element, target: Element): boolean {
  if (isInside(top, target)) return true
  // The label of a control acts for it, except where it holds a control of its own.
  const label = labelAround(top)
  if (label && scan.labels.control(label) === target) {
    const inner = closest(top, CONTROLS)
    return !inner || inner === target || !isInside(inner, label)
  }
  if (isHtml(target, 'label') && scan.labels.control(target) === top) return true
  // An icon that lets events through leaves them to the button around it.
  const owner = closest(target, CONTROLS)
  return !!owner && isInside(top, owner) && isInside(target, top)
}

const CONTROLS =
  'a[href],button,input,select,textarea,summary,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem]'

function labelAround(element: Element): Element | null {
  for (let at: Element | null = element, steps = 0; at && steps < 100; steps += 1) {
    if (isHtml(at, 'label')) return at
    at = flatParent(at)
  }
  return null
}

/** How to name what covers a target: the nearest thing around it that has a role and a name. */
export function nameCover(scan: Scan, cover: Element, target: Element): string {
  let plain: Element | undefined
  for (let at: Element | null = cover, steps = 0; at && steps < 50; steps += 1) {
    if (isInside(target, at)) break
    const role = roleOf(scan, at)
    if (role !== 'generic' && role !== 'none') {
      plain ??= at
      if (nameOf(scan, at) && !matches(at, 'p,strong,em,li,img,svg')) return describe(scan, at)
    }
    at = flatParent(at)
  }
  return describe(scan, plain ?? cover)
}
