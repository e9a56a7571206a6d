/**
 * How an element is named outside the outline: `button "Sign in"`, as its line would begin.
 */

import { contentText, nameOf } from './aria/name.ts'
import { WIDGETS } from './aria/role-tables.ts'
import { isEditingHost, roleOf } from './aria/roles.ts'
import { isClickable } from './clickable.ts'
import { isConnected, isHtml, queryAll, shadowRootsIn } from './dom.ts'
import type { Named } from './messages.ts'
import { createScan, type Scan } from './scan.ts'
import { clean, cut, fold, NAME_LIMIT, quote } from './text.ts'
import { isSeen } from './visibility.ts'

const SIMILAR = 5
const EXCERPT = 60

/** The role a line begins with. */
export function printedRole(scan: Scan, element: Element): string {
  const role = roleOf(scan, element)
  if (role !== 'generic' && role !== 'none') return role
  if (isEditingHost(element)) return 'textbox'
  if (isHtml(element, 'label')) return 'label'
  return isClickable(scan, element) ? 'clickable' : 'generic'
}

export function describe(scan: Scan, element: Element): string {
  const role = printedRole(scan, element)
  const name = cut(clean(nameOf(scan, element)), NAME_LIMIT)
  if (name) return `${role} ${quote(name)}`
  // A box without a name is told from others by how it begins.
  const excerpt = WIDGETS.has(role) ? '' : cut(clean(contentText(scan, element)), EXCERPT)
  return excerpt ? `${role} ${quote(excerpt)}` : role
}

export function named(scan: Scan, element: Element): Named {
  const id = scan.page.idOf(element)
  const what = describe(scan, element)
  scan.page.remember(id, what)
  return { id, what }
}

/** Elements a person can see now that have the role and about the name of one that is gone. */
export function similarTo(scan: Scan, what: string): Named[] {
  const { role, name } = parts(what)
  if (!role) return []
  const candidates: { element: Element; score: number }[] = []
  for (const element of everyElement(scan)) {
    if (printedRole(scan, element) !== role) continue
    const score = likeness(fold(nameOf(scan, element)), name)
    if (score > 0) candidates.push({ element, score })
  }
  candidates.sort((a, b) => b.score - a.score)
  const found: Named[] = []
  for (const { element } of candidates.slice(0, 40)) {
    if (found.length === SIMILAR) break
    if (isConnected(element) && isSeen(scan.page, element)) found.push(named(scan, element))
  }
  return found
}

/** Elements whose name resembles words that matched nothing, whatever their role. */
export function similarNames(page: Scan['page'], text: string, role?: string): Named[] {
  const scan = createScan(page)
  const wanted = fold(text)
  const candidates: { element: Element; score: number }[] = []
  for (const element of everyElement(scan)) {
    const own = printedRole(scan, element)
    if (role ? own !== role : !WIDGETS.has(own) && own !== 'heading') continue
    const score = wanted ? likeness(fold(nameOf(scan, element)), wanted) : 1
    if (score > 0) candidates.push({ element, score })
  }
  candidates.sort((a, b) => b.score - a.score)
  const found: Named[] = []
  for (const { element } of candidates.slice(0, 40)) {
    if (found.length === SIMILAR) break
    if (isSeen(page, element)) found.push(named(scan, element))
  }
  return found
}

function* everyElement(scan: Scan): Generator<Element> {
  let left = 30_000
  for (const root of [scan.document, ...shadowRootsIn(scan.document)]) {
    for (const element of queryAll(root, '*')) {
      if (left-- <= 0) return
      yield element
    }
  }
}

function parts(what: string): { role: string; name: string } {
  const found = /^(\S+)(?: "(.*)")?$/s.exec(what)
  return { role: found?.[1] ?? '', name: fold((found?.[2] ?? '').replace(/\\(.)/g, '$1')) }
}

/** From 0, nothing in common, to 1, the same. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1
  if (!a || !b) return 0
  if (a.includes(b) || b.includes(a)) {
    return 0.6 + 0.3 * (Math.min(a.length, b.length) / Math.max(a.length, b.length))
  }
  const wordsOf = (text: string) => new Set(text.split(/[^\p{L}\p{N}]+/u).filter(Boolean))
  const [own, other] = [wordsOf(a), wordsOf(b)]
  let shared = 0
  for (const word of own) if (other.has(word)) shared += 1
  const score = shared / Math.max(own.size, other.size, 1)
  if (score >= 0.4) return score / 2
  const alike = sharedPairs(a, b)
  return alike >= 0.5 ? alike / 3 : 0
}

/** How many neighbouring letters two names share, 0 to 1: what a typing mistake leaves. */
function sharedPairs(a: string, b: string): number {
  const pairs = (text: string) => {
    const found = new Set<string>()
    for (let at = 0; at + 1 < Math.min(text.length, 60); at++) found.add(text.slice(at, at + 2))
    return found
  }
  const [own, other] = [pairs(a), pairs(b)]
  let shared = 0
  for (const pair of own) if (other.has(pair)) shared += 1
  return shared / Math.max(own.size, other.size, 1)
}
