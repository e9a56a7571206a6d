/**
 * What of a long page is walked, and what only counted.
 *
 * A page of a few times its budget is walked as it is: folding it well is the engine's business.
 * Beyond that the first of each kind are, so that what comes after a long list is still seen.
 */

import {
  attribute,
  boundingBox,
  data,
  elementChildren,
  type FlatChildren,
  isElement,
  isText,
  nextElement,
  nextFlat,
  nextSibling,
  parentNode,
  peekFlat,
  tagName,
} from '../dom.ts'
import type { RestNode } from './outline.ts'
import type { Walk } from './walk.ts'
import { kindOf } from './weigh.ts'

/** How long, in budgets, a page gets before only the first of a kind are walked. */
const PLENTY = 1.25
/** And before nothing is walked any more. */
const ENOUGH = 6
const VISITED = 40_000
/** How many of a kind are always walked. */
const FIRST = 3
/** So few more are walked too. */
const FEW = 8
const MIXED = 2
/** About how long a fold's line is. */
const FOLD = 40

/** The children of an element, on the way through them. */
export interface Siblings {
  element: Element
  children: FlatChildren
  /** The kind of the last one, and how many of it came in a row. */
  kind: string
  alike: number
  /** The next of them that is in view; undefined before that was asked. */
  shown: Element | null | undefined
  /** How often some of them were only counted. */
  folds: number
}

function isOver(state: Walk): boolean {
  const { maxChars } = state.options
  return state.chars > ENOUGH * maxChars || state.visited >= Math.max(VISITED, 2 * maxChars)
}

/** Whether an element need only be counted. */
export function isTooMuch(state: Walk, level: Siblings, next: Element): boolean {
  if (isOver(state)) return !isUnseen(next)
  const { chars, options } = state
  if (chars * 2 <= options.maxChars) return false
  const kind = kindOf(next)
  level.alike = kind !== '' && kind === level.kind ? level.alike + 1 : 1
  level.kind = kind
  if (kind === '' || chars <= PLENTY * options.maxChars) return false
  if (level.alike <= FIRST && level.folds <= MIXED) return false
  return !isInView(state, level, next) && (level.folds > MIXED || hasMany(next, kind))
}

/** Whether an element far down a list is what is shown of it now. */
function isInView(state: Walk, level: Siblings, element: Element): boolean {
  if (level.shown === undefined) level.shown = firstInView(element, level.element)
  if (level.shown !== element) return false
  // The next is asked about once it is its turn.
  const next = nextElement(element)
  level.shown = next && isVisible(state, next) ? next : null
  return true
}

function isVisible(state: Walk, element: Element): boolean {
  const { top, bottom } = boundingBox(element)
  return bottom > 0 && top < state.scan.page.window.innerHeight
}

/** The first of the children that is in view, if they come one below the other as most do. */
function firstInView(from: Element, container: Element): Element | null {
  if (parentNode(from) !== container) return null
  const all = elementChildren(container)
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { bottom, height } = boundingBox(all[middle]!)
    if (bottom > 0 && height > 0) high = middle
    else low = middle + 1
  }
  return all[low] ?? null
}

/** Whether enough of a kind follow to be worth a fold. */
function hasMany(first: Element, kind: string): boolean {
  let left = FEW
  for (let next = nextSibling(first); next && left > 0; next = nextSibling(next)) {
    if (isElement(next) && kindOf(next) === kind) left -= 1
  }
  return left === 0
}

/** Counts an element and what follows it of its kind; all that follows when nothing goes any more. */
export function countRest(state: Walk, level: Siblings, start: Element): RestNode {
  const over = isOver(state)
  const name = tagName(start)
  // Kinds that take turns are one after a while.
  const mixed = ++level.folds > MIXED
  // There may be very many: no more is asked of each than its name.
  const ends = (next: Element) => {
    const other = tagName(next)
    if (other === name) return next === level.shown
    return !mixed || kindOf(next) === '' || next === level.shown
  }
  let count = 1
  for (let next = peekFlat(level.children); next; next = peekFlat(level.children)) {
    if (isElement(next)) {
      if (!over && ends(next)) break
      if (!isUnseen(next)) count += 1
    } else if (!over && !mixed && isText(next) && /\S/.test(data(next))) {
      break
    }
    nextFlat(level.children)
  }
  state.chars += FOLD
  const rows = name === 'tr' || attribute(start, 'role') === 'row'
  return { kind: 'rest', count, noun: rows ? 'rows' : 'items', start, within: level.element }
}

const UNSEEN = new Set(['script', 'style', 'template', 'link', 'meta', 'noscript'])

function isUnseen(element: Element): boolean {
  return UNSEEN.has(tagName(element))
}
