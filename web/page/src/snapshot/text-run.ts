/**
 * Lines of text: gathered from text nodes until a block or an element with a line ends them.
 */

import { transformed } from '../aria/transform.ts'
import { createRange, data, hasAttribute, isHtml } from '../dom.ts'
import { isLegible } from '../legible.ts'
import { clean, cut, TEXT_LIMIT } from '../text.ts'
import { hasArea, intersect } from '../visibility.ts'
import type { ElementNode } from './outline.ts'
import type { Surroundings, Walk } from './walk.ts'

/** Text beyond this is counted, not read. */
const LONGEST_RUN = 4 * TEXT_LIMIT

/** The element a text node is in. */
interface Around {
  element: Element
  inner: Surroundings
  /** Its own text can be seen. */
  visible: boolean
  look: TextLook | undefined
}

/** How the text of an element looks. */
export interface TextLook {
  /** It differs from what is behind it. */
  legible: boolean
  transform: string
}

/** Adds what a text node shows to the current line. */
export function addText(state: Walk, level: Around, node: Text): void {
  const text = data(node)
  if (!text) return
  if (level.inner.quiet || level.inner.ariaHidden) return
  if (!/\S/.test(text)) {
    if (state.run) state.run += ' '
    return
  }
  if (!state.options.includeHidden) {
    if (level.inner.closed) return
    if (!level.visible && !isTextSeen(state, level, node)) return
  }
  level.look ??= lookOf(state, level.element)
  if (!level.look.legible) return
  state.runSource ??= level.element
  const room = (state.whole ? state.options.maxChars : LONGEST_RUN) - state.run.length
  const taken = text.length > room ? text.slice(0, Math.max(0, room)) : text
  state.runMore += text.length - taken.length
  state.run += transformed(taken, level.look.transform, level.element)
}

function lookOf(state: Walk, element: Element): TextLook {
  const css = state.scan.style(element).css ?? state.scan.page.window.getComputedStyle(element)
  const legible = state.options.includeHidden || isLegible(state.scan, element, css)
  return { legible, transform: legible ? css.textTransform : 'none' }
}

/** Text may stick out of a box that has no height of its own. */
function isTextSeen(state: Walk, level: Around, node: Text): boolean {
  const { scan } = state
  const style = scan.style(level.element)
  if (!style.shown || level.inner.transparent || level.inner.hidden) return false
  if (style.overflow !== 'visible') return false
  const range = createRange(scan.document)
  range.selectNodeContents(node)
  return hasArea(intersect(range.getBoundingClientRect(), level.inner.clip))
}

/** Ends the current line of text. */
export function flush(state: Walk, into: ElementNode): void {
  if (!state.run) return
  const text = clean(state.run)
  const { runSource: source, runMore } = state
  state.run = ''
  state.runSource = undefined
  state.runMore = 0
  if (!text) return
  if (state.options.mode !== 'interactive') state.chars += Math.min(text.length, TEXT_LIMIT) + 6
  // Asked for by itself a long text is shown as far as the budget goes.
  if (source && source === state.whole) {
    const at = addPieces(text, state.options.maxChars, source, into)
    addRest(source, text.length - at + runMore, into)
    return
  }
  into.children.push({ kind: 'text', text: cut(text, TEXT_LIMIT), source })
  if (source) addRest(source, text.length - TEXT_LIMIT + runMore, into)
}

/** Lines of a long text, broken between words; how far they go. */
function addPieces(text: string, room: number, source: Element, into: ElementNode): number {
  let at = 0
  while (at < text.length && at < room) {
    const window = text.slice(at, at + TEXT_LIMIT)
    const space = at + TEXT_LIMIT < text.length ? window.lastIndexOf(' ') : -1
    const piece = space > 0 ? window.slice(0, space) : cut(window, TEXT_LIMIT)
    into.children.push({ kind: 'text', text: piece, source })
    at += space > 0 ? space + 1 : window.length
  }
  return at
}

function addRest(source: Element, count: number, into: ElementNode): void {
  if (count <= 0) return
  into.children.push({ kind: 'rest', count, noun: 'characters', start: source, within: source })
}

export function isClosedDetails(element: Element): boolean {
  return isHtml(element, 'details') && !hasAttribute(element, 'open')
}
