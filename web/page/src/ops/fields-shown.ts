/**
 * `fieldsShown`: what stands in the fields of this document and where, so that the engine can tell in
 * which of them a secret stands.
 *
 * The engine compares, not this code: a secret is not handed to a document only to look for it.
 * Password fields are left out, they show dots. What is clipped away by a box around a field is no
 * part of it; where that is in doubt, it is.
 */

import {
  attribute,
  boundingBox,
  createRange,
  documentBody,
  documentElement,
  documentTitle,
  flatParent,
  isConnected,
  outerHTML,
  queryAll,
  shadowRootsIn,
  textContent,
} from '../dom.ts'
import { fieldText, isEditable, isField, isInput } from '../fields.ts'
import { maskedHtml } from '../masked.ts'
import type { Page } from '../page-state.ts'
import type { FieldShown, FieldsShown, FieldsShownRequest } from '../picture-messages.ts'
import { wellFormed } from '../text.ts'
import {
  boxOf,
  type Clip,
  EVERYWHERE,
  intersect,
  isRendered,
  isRootScroller,
} from '../visibility.ts'

const FIELDS = 'input,textarea,select,[contenteditable]'

/** Inputs that show nothing of their value, or dots. */
const UNSHOWN = new Set(['password', 'hidden', 'checkbox', 'radio', 'file', 'range', 'color'])

/** More text than this is not handed over. */
const MOST = 16_000_000

export function fieldsShown(page: Page, request: FieldsShownRequest): FieldsShown {
  const { document } = page
  const given = new Map<Element, number>()
  for (const id of request.ids) {
    const element = page.elementOf(id)
    if (element && isConnected(element)) given.set(element, id)
  }
  const found = new Set<Element>(given.keys())
  const roots = [document, ...shadowRootsIn(document)]
  for (const root of roots) for (const element of queryAll(root, FIELDS)) found.add(element)
  const body = documentBody(document)
  if (body && isEditable(body)) found.add(body)
  const fields: FieldShown[] = []
  let size = 0
  for (const element of found) {
    const text = shownText(element)
    const box = text && (request.whole ? NOWHERE : shownBox(page, element))
    if (!box) continue
    size += text.length
    if (size > MOST) return { fields: [], rest: '', tooMuch: true }
    const { left, top, right, bottom } = box
    fields.push([wellFormed(text), given.get(element) ?? 0, left, top, right, bottom])
  }
  const rest = request.whole ? everything(page, roots) : ''
  if (rest.length > MOST) return { fields: [], rest: '', tooMuch: true }
  return { fields, rest, tooMuch: false }
}

const NOWHERE: Clip = { left: 0, top: 0, right: 0, bottom: 0 }

function shownText(element: Element): string {
  if (isInput(element)) {
    if (UNSHOWN.has(element.type)) return ''
    return element.value || (attribute(element, 'placeholder') ?? '')
  }
  if (isField(element)) return fieldText(element) || (attribute(element, 'placeholder') ?? '')
  return textContent(element) || fieldText(element)
}

/** The markup of the document and its shadow roots, without passwords. */
function everything(page: Page, roots: (Document | ShadowRoot)[]): string {
  const all = [documentTitle(page.document)]
  for (const root of roots) {
    const whole = root === page.document ? documentElement(page.document) : null
    const html = whole ? outerHTML(whole) : (root as ShadowRoot).innerHTML
    all.push(maskedHtml(page, whole ?? root, html))
  }
  return wellFormed(all.join('\n'))
}

/** Where it is drawn in this frame's viewport; nothing if it is not. */
function shownBox(page: Page, element: Element): Clip | undefined {
  if (!isRendered(page, element)) return undefined
  let box: Clip = boxOf(page, element)
  if (isEditable(element)) {
    // Text may stand out of it.
    const range = createRange(page.document)
    range.selectNodeContents(element)
    const text = range.getBoundingClientRect()
    if (text.width > 0) box = around(box, text)
  }
  const { left, top, right, bottom } = intersect(box, clipAround(page, element))
  return left < right && top < bottom ? { left, top, right, bottom } : undefined
}

function around(a: Clip, b: Clip): Clip {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }
}

/** Boxes that clip: `overflow` means nothing to inline boxes and rows of tables. */
const CLIPPING = /^(inline-)?(block|flex|grid)$|^(flow-root|list-item|table-cell)$/

function clipAround(page: Page, element: Element): Clip {
  const { window } = page
  let clip = EVERYWHERE
  let { position } = window.getComputedStyle(element)
  let at = flatParent(element)
  for (let steps = 0; at && position !== 'fixed' && steps < 1000; steps += 1) {
    const style = window.getComputedStyle(at)
    if (position !== 'absolute' || style.position !== 'static') {
      position = style.position
      if (isRootScroller(at)) break
      const clips = /^(hidden|auto|scroll)$/.test(style.overflow) && CLIPPING.test(style.display)
      if (clips) clip = intersect(clip, boundingBox(at))
    }
    at = flatParent(at)
  }
  return clip
}
