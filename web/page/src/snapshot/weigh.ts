/**
 * What a page that may not fit needs to be folded well: which lines are in view, and which stand
 * among many of a kind.
 *
 * Asked only of lines that were printed, so that the price is that of the answer, not of the page.
 */

import { attribute, flatParent, isElement, localName, nextSibling, parentNode } from '../dom.ts'
import type { Line } from '../messages.ts'
import type { Page } from '../page-state.ts'
import type { Scan } from '../scan.ts'
import type { Source } from './outline.ts'

/** Fewer siblings of a kind are not worth a fold. */
const MANY = 6
/** How many of the containers around a line are told. */
const CHAIN = 3

interface Item {
  container: Element
  index: number
}

export function weigh(
  scan: Scan,
  lines: readonly Line[],
  sources: readonly Source[],
  views: boolean,
): void {
  const { page } = scan
  const inView = viewFinder(scan)
  // What was not walked need not be told apart.
  const chains = chainFinder(page, 2 * lines.length + 100)
  for (let at = 0; at < lines.length; at += 1) {
    const element = sources[at]
    if (!element) continue
    const line = lines[at]!
    const { groups, item } = chains(element)
    // Items are shown as a whole: one box is measured for each.
    if (views) line[5] = inView(item ?? element) ? 1 : 0
    if (groups.length > 0) line[6] = groups
  }
}

/**
 * Tells which elements are in view, asked in the order in which they stand. A box is dear to measure:
 * what flows in one that is below the view, or after a sibling that is, need not be.
 */
function viewFinder(scan: Scan): (element: Element) => boolean {
  const { innerWidth, innerHeight } = scan.page.window
  /** Those below the view, and those whose next children are. */
  const below = new Set<Element>()
  const ended = new Set<Element>()
  const stacking = new Map<Element, boolean>()

  const stacks = (container: Element) => {
    let known = stacking.get(container)
    if (known === undefined) {
      known = isStack(scan, container)
      stacking.set(container, known)
    }
    return known
  }

  return (element) => {
    const parent = flatParent(element)
    const flows = !!parent && scan.style(element).position === 'static'
    if (flows && (below.has(parent) || ended.has(parent))) {
      below.add(element)
      return false
    }
    const { left, top, right, bottom } = scan.box(element)
    if (top >= innerHeight) {
      below.add(element)
      if (flows && stacks(parent)) ended.add(parent)
    }
    return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  }
}

/** Whether its children stand one below the other, in their order. */
function isStack(scan: Scan, container: Element): boolean {
  const { css, display } = scan.style(container)
  if (!css || !/^(block|flow-root|list-item|table|table-row-group)$/.test(display)) return false
  if (css.columnCount !== 'auto' || css.columnWidth !== 'auto') return false
  return css.writingMode === 'horizontal-tb'
}

interface Chain {
  groups: number[]
  /** The innermost item the element is in. */
  item: Element | undefined
}

/** Finds the containers around an element, each element's only once. */
function chainFinder(page: Page, counted: number): (element: Element) => Chain {
  const chains = new Map<Element, Chain>()
  const items = new Map<Element, Map<Element, number>>()
  const none: Chain = { groups: [], item: undefined }

  const itemIn = (element: Element): Item | undefined => {
    const container = parentNode(element)
    if (!isElement(container)) return undefined
    let places = items.get(container)
    if (!places) {
      places = placesFrom(element, counted)
      items.set(container, places)
    }
    const index = places.get(element)
    return index === undefined ? undefined : { container, index }
  }

  return function chainOf(element): Chain {
    const path: Element[] = []
    let chain = none
    for (let at: Element | null = element; at; at = flatParent(at)) {
      const known = chains.get(at)
      if (known) {
        chain = known
        break
      }
      path.push(at)
    }
    for (const at of path.reverse()) {
      const item = itemIn(at)
      if (item) {
        const groups = [page.idOf(item.container), item.index, ...chain.groups].slice(0, 2 * CHAIN)
        chain = { groups, item: at }
      }
      chains.set(at, chain)
    }
    return chain
  }
}

/** The place of each sibling from the first line's on among its like, where there are many. */
function placesFrom(first: Element, counted: number): Map<Element, number> {
  const kinds = new Map<string, Element[]>()
  let left = counted
  for (let node: Node | null = first; node && left > 0; node = nextSibling(node)) {
    if (!isElement(node)) continue
    left -= 1
    const kind = kindOf(node)
    const like = kinds.get(kind)
    if (like) like.push(node)
    else kinds.set(kind, [node])
  }
  const places = new Map<Element, number>()
  for (const [kind, like] of kinds) {
    if (like.length < MANY || kind === '') continue
    like.forEach((element, index) => {
      places.set(element, index)
    })
  }
  return places
}

/** What siblings of a kind have in common; nothing for what stands for a part of the page. */
export function kindOf(element: Element): string {
  const name = localName(element)
  if (PARTS.has(name)) return ''
  const role = attribute(element, 'role')
  const classes = attribute(element, 'class')
  if (!role && !classes) return name
  return `${name} ${role ?? ''} ${classes ? firstClass(classes) : ''}`
}

/** Many have the same. */
const firstClasses = new Map<string, string>()

/** The first of some classes, less its numbers. */
function firstClass(classes: string): string {
  let first = firstClasses.get(classes)
  if (first === undefined) {
    first = /^\s*(\S*)/.exec(classes)![1]!.replace(/\d+/g, '')
    if (firstClasses.size >= KEPT) firstClasses.clear()
    firstClasses.set(classes, first)
  }
  return first
}

const KEPT = 500

const PARTS = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'nav', 'main', 'header', 'footer', 'form', 'dialog'],
  ...['aside', 'fieldset', 'td', 'th'],
])
