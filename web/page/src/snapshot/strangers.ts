/**
 * Custom elements that may have a role, name or state of their own by `ElementInternals`, noticed on
 * the walk for the engine to ask Chrome.
 *
 * Chrome builds its accessibility tree for the first answer: 12 ms for each 1,000 elements of the
 * document, then a third of a millisecond for each that is asked about. So the first few of a tag
 * speak for the rest: if none has anything of its own, the tag is not asked about again. Those that
 * have are asked again with every look, since their states change without a trace in the document.
 */

import { type Internals, internalsOf, keepInternals } from '../aria/internals.ts'
import { roleOf } from '../aria/roles.ts'
import {
  checkVisibility,
  HTML,
  hasAttribute,
  isConnected,
  localName,
  matches,
  namespaceURI,
  queryAll,
  shadowRootsIn,
} from '../dom.ts'
import type { InternalsReply, InternalsRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { createScan } from '../scan.ts'

/** So many of a tag are asked about before it is known. */
const FEW = 3
/** So many are asked about at a time. */
const AT_ONCE = 50
/** So many of a document are kept in mind, and asked again with every look. */
const MOST = 200
/** Larger documents are not asked about: the tree would cost more than the walk. */
const LARGE = 10_000

export interface Strangers {
  /** Noticed by the last walk. */
  readonly noticed: Set<Element>
  readonly asked: WeakSet<Element>
  /** How many of a tag were asked about, and how many had something to tell. */
  readonly tags: Map<string, { asked: number; found: number }>
  /** Those that have, by Chrome's id. */
  readonly known: Map<number, WeakRef<Element>>
}

export function createStrangers(): Strangers {
  return { noticed: new Set(), asked: new WeakSet(), tags: new Map(), known: new Map() }
}

/** Called for every custom element of the walk, in the order in which they stand. */
export function noticeStranger({ strangers }: Page, element: Element, name: string): void {
  const { noticed, asked, known, tags } = strangers
  if (noticed.size >= AT_ONCE || known.size + noticed.size >= MOST || asked.has(element)) return
  const tag = tags.get(name)
  if (!tag?.found && (tag?.asked ?? 0) + countOf(noticed, name) >= FEW) return
  if (namespaceURI(element) === HTML && matches(element, ':defined')) noticed.add(element)
}

/** Looks for them in a document nobody has walked. */
export function searchStrangers(page: Page): void {
  for (const root of [page.document, ...shadowRootsIn(page.document)]) {
    const all = queryAll(root, '*')
    for (let at = 0, count = all.length; at < count; at += 1) {
      const element = all[at]!
      const name = localName(element)
      if (name.includes('-') && checkVisibility(element)) noticeStranger(page, element, name)
    }
  }
}

function countOf(elements: Set<Element>, name: string): number {
  let count = 0
  for (const element of elements) if (localName(element) === name) count += 1
  return count
}

/** How many elements to ask about after a walk. */
export function countStrangers(page: Page): number {
  const { noticed } = page.strangers
  if (noticed.size > 0 && queryAll(page.document, '*').length > LARGE) noticed.clear()
  return noticed.size
}

/** The elements to ask about. */
export function takeStrangers(page: Page): Element[] {
  countStrangers(page)
  const taken = [...page.strangers.noticed]
  page.strangers.noticed.clear()
  return taken
}

/**
 * Takes in what Chrome says of elements; those of the first ids are handed over as `nodes`. Says
 * whether the outline may be another for it, and whom to ask again.
 */
export function learnInternals(
  page: Page,
  { ids, told }: InternalsRequest,
  nodes: readonly Node[],
): InternalsReply {
  const { strangers } = page
  let news = false
  ids.forEach((id, at) => {
    const fresh = nodes[at] as Element | undefined
    const element = fresh ?? strangers.known.get(id)?.deref()
    if (!element || !isConnected(element)) {
      // Should it come back, it is a stranger again.
      strangers.known.delete(id)
      if (element) strangers.asked.delete(element)
      return
    }
    const before = internalsOf(element)
    const internals = ownOf(page, element, told[at] ?? [])
    news ||= !isSame(before, internals)
    if (fresh) note(strangers, fresh, internals)
    // What had something to tell once may have again.
    if (internals.size > 0) strangers.known.set(id, new WeakRef(element))
  })
  return { news, again: [...strangers.known.keys()] }
}

function note({ asked, tags }: Strangers, element: Element, internals: Internals): void {
  const name = localName(element)
  const tag = tags.get(name) ?? { asked: 0, found: 0 }
  tag.asked += 1
  if (internals.size > 0) tag.found += 1
  tags.set(name, tag)
  asked.add(element)
}

/** What an element has that its markup does not say; kept for `aria` to find. */
function ownOf(page: Page, element: Element, told: [string, string][]): Internals {
  const own = new Map<string, string>()
  keepInternals(element, own)
  const role = roleOf(createScan(page), element)
  for (const [name, value] of told) {
    if (hasAttribute(element, name)) continue
    if (name === 'role') {
      if (value !== role && !BOXES.has(value)) own.set(name, value)
    } else if (own.has('role') || !OF_THE_ROLE.has(name)) {
      own.set(name, value)
    }
  }
  keepInternals(element, own)
  return own
}

const BOXES = new Set(['generic', 'none'])

/** Told of every element with such a role: its own only where the role is. */
const OF_THE_ROLE = new Set([
  'aria-level',
  'aria-valuemax',
  'aria-valuemin',
  'aria-valuenow',
  'aria-valuetext',
])

function isSame(before: Internals | undefined, now: Internals): boolean {
  if ((before?.size ?? 0) !== now.size) return false
  for (const [name, value] of now) if (before?.get(name) !== value) return false
  return true
}
