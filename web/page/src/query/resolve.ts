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
import { findByStep } from './find-by-step.ts'

export interface Matches {
  is: 'matches'
  elements: Element[]
  /** Found by meaning (text, role, label …): several equal ones are ambiguous. */
  semantic: boolean
}

export type Resolved = Matches | FrameReached | Failed

export function resolve(scan: Scan, query: readonly Step[]): Resolved {
  let scopes: Element[] | undefined
  let semantic = false
  for (let at = 0; at < query.length; at += 1) {
    const step = query[at]!
    if (step.by === 'nth') {
      scopes = nth(scopes ?? [], step.index)
      semantic = false
      continue
    }
    const next = one(scan, step, scopes)
    if (!Array.isArray(next)) return next
    scopes = next
    semantic = SEMANTIC.has(step.by)
    const entered = at + 1 < query.length && query[at + 1]!.by !== 'nth'
    const frame = entered ? firstSeen(scan, next) : undefined
    if (frame && isFrame(frame)) return { is: 'frame', id: scan.page.idOf(frame), used: at + 1 }
  }
  // A frame picked by its place among several is entered too.
  return { is: 'matches', elements: scopes ?? [], semantic }
}

const SEMANTIC = new Set<Step['by']>(['text', 'role', 'label', 'placeholder', 'alt', 'title'])

function one(scan: Scan, step: Step, scopes: Element[] | undefined): Element[] | Failed {
  if (step.by === 'ref') return byRef(scan, step.id)
  try {
    if (!scopes) return findByStep(scan, step, scan.document)
    const found = new Set<Element>()
    for (const scope of scopes) {
      for (const element of findByStep(scan, step, scope)) found.add(element)
    }
    return inOrder([...found], scopes)
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

function byRef(scan: Scan, id: number): Element[] | Failed {
  const { page } = scan
  const element = page.elementOf(id)
  if (element && isConnected(element) && ownerDocument(element) === page.document) return [element]
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
function outermost(elements: Element[]): Element[] {
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
