/**
 * From a query to elements: each step is looked for inside what the step before it found.
 *
 * A step that finds a frame ends the search here: the engine goes on in that frame's document.
 */

import { describe, named, similarTo } from '../describe.ts'
import { comparePosition, isConnected, isFrame, isInside, ownerDocument } from '../dom.ts'
import { failed } from '../failed.ts'
import type { Failed, FrameReached, Step } from '../messages.ts'
import type { Scan } from '../scan.ts'
import { isSeen } from '../visibility.ts'
import { type Found, findByStep } from './find-by-step.ts'

export interface Matches {
  is: 'matches'
  elements: Element[]
  /** Found by meaning (text, role, label …): several equal ones are ambiguous. */
  semantic: boolean
  /** No step had to take something that only contains its words. */
  whole: boolean
}

export type Resolved = Matches | FrameReached | Failed

export function resolve(scan: Scan, query: readonly Step[]): Resolved {
  let scopes: Element[] | undefined
  let semantic = false
  let whole = true
  for (let at = 0; at < query.length; at += 1) {
    const step = query[at]!
    if (step.by === 'nth') {
      scopes = nth(scopes ?? [], step.index)
      semantic = false
      continue
    }
    const next = one(scan, step, scopes)
    if ('is' in next) return next
    scopes = next.elements
    whole &&= next.whole
    semantic = SEMANTIC.has(step.by)
    const entered = at + 1 < query.length && query[at + 1]!.by !== 'nth'
    const frame = entered ? firstSeen(scan, scopes) : undefined
    if (frame && isFrame(frame)) return { is: 'frame', id: scan.page.idOf(frame), used: at + 1 }
  }
  // A frame picked by its place among several is entered too.
  return { is: 'matches', elements: scopes ?? [], semantic, whole }
}

const SEMANTIC = new Set<Step['by']>(['text', 'role', 'label', 'placeholder', 'alt', 'title'])

function one(scan: Scan, step: Step, scopes: Element[] | undefined): Found | Failed {
  if (step.by === 'ref') return byRef(scan, step.id)
  try {
    if (!scopes) return findByStep(scan, step, scan.document)
    const inEach = scopes.map((scope) => findByStep(scan, step, scope))
    // A whole match in one scope is better than a partial one in another.
    const whole = inEach.some((found) => found.whole && found.elements.length > 0)
    const counted = inEach.filter((found) => found.whole || !whole)
    const found = new Set(counted.flatMap((found) => found.elements))
    return { elements: inOrder([...found], scopes), whole: whole || found.size === 0 }
  } catch (error) {
    return failed('bad_selector', { detail: message(error) })
  }
}

/** Matches of several scopes in document order; one scope's are already. */
function inOrder(elements: Element[], scopes: Element[]): Element[] {
  if (scopes.length < 2) return elements
  return elements.sort((a, b) => (comparePosition(a, b) & 4 ? -1 : 1))
}

function message(error: unknown): string {
  const text =
    error instanceof Error || error instanceof DOMException ? error.message : String(error)
  // "Failed to execute 'querySelectorAll' on 'Document': " is about us, not about the selector.
  return text.replace(/^Failed to execute '\w+' on '\w+': /, '')
}

function byRef(scan: Scan, id: number): Found | Failed {
  const { page } = scan
  const element = page.elementOf(id)
  if (element && isConnected(element) && ownerDocument(element) === page.document)
    return { elements: [element], whole: true }
  if (!page.known(id)) return failed('not_found')
  const what = page.recall(id) ?? (element ? describe(scan, element) : 'element')
  return failed('stale', { element: { id, what }, similar: similarTo(scan, what) })
}

function nth(elements: Element[], index: number): Element[] {
  const element = elements.at(index)
  return element ? [element] : []
}

function firstSeen(scan: Scan, elements: Element[]): Element | undefined {
  return elements.find((element) => isSeen(scan.page, element)) ?? elements[0]
}

/** The one element a query means, or why it means none. */
export type Picked = { is: 'one'; element: Element; matched: number } | FrameReached | Failed

/** For changing something: several equal matches of a meaning are ambiguous. */
export function pickToChange(scan: Scan, query: readonly Step[]): Picked {
  const found = resolve(scan, query)
  if (found.is !== 'matches') return found
  const { elements, semantic } = found
  if (elements.length === 0) return failed('not_found')
  if (elements.length === 1) return { is: 'one', element: elements[0]!, matched: 1 }
  const seen = elements.filter((element) => isSeen(scan.page, element))
  if (semantic && seen.length > 1) {
    const distinct = outermost(seen)
    if (distinct.length > 1) {
      const similar = distinct.slice(0, 5).map((element) => named(scan, element))
      return failed('ambiguous', { similar, matched: distinct.length })
    }
  }
  return { is: 'one', element: seen[0] ?? elements[0]!, matched: elements.length }
}

/** A match inside another match is the same thing to a person. */
export function outermost(elements: Element[]): Element[] {
  if (elements.length > 200) return elements
  return elements.filter(
    (element) => !elements.some((other) => other !== element && isInside(element, other)),
  )
}

/** For reading: the first match of a selector, the first visible one of a meaning. */
export function pickToRead(scan: Scan, query: readonly Step[]): Picked {
  const found = resolve(scan, query)
  if (found.is !== 'matches') return found
  const { elements, semantic } = found
  const element = semantic ? firstSeen(scan, elements) : elements[0]
  if (!element) return failed('not_found')
  return { is: 'one', element, matched: elements.length }
}
