/**
 * Elements that may hide a closed shadow root, noticed on the walk for the engine to ask Chrome.
 *
 * No script can see a closed root. It shows by what it does to its host: a box without children to
 * explain it, or children that are not drawn. Custom elements are always worth asking about; an
 * element once asked about is left alone until its box changes.
 *
 * A plain element whose children fill the slots of its root looks like any other. But then there are
 * slots that Chrome can count and we cannot find: only where that is so are such elements asked
 * about, each once.
 */

import {
  attribute,
  attributeNames,
  data,
  documentBody,
  firstChild,
  isElement,
  isText,
  localName,
  nextSibling,
  parentNode,
  queryAll,
  shadowRoot,
  shadowRootsIn,
} from '../dom.ts'
import type { Page } from '../page-state.ts'
import type { Scan, Style } from '../scan.ts'
import { isEmptyBox } from '../visibility.ts'
import { noticeStranger } from './strangers.ts'

/** Besides custom elements only these can have one. */
const HOSTS = new Set([
  'article',
  'aside',
  'blockquote',
  'body',
  'div',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'main',
  'nav',
  'p',
  'section',
  'span',
])

/** Each costs Chrome about as much as walking a dozen elements. */
const SUSPECTS = 200
/** So many plain elements with children are noticed; with more, none is asked about. */
const OTHERS = 1000
/** Elements with longer attributes are not asked about. */
const ATTRIBUTES = 20_000
/** Smaller boxes are dots, icons and lines. */
const LEAST_WIDTH = 16
const LEAST_HEIGHT = 10

export interface Hosts {
  /** Noticed by the last walk. */
  suspects: Set<Element>
  /** Plain elements with children, not asked about yet. */
  others: Set<Element>
  /** Asked about before, with the size they had then. */
  readonly asked: WeakMap<Element, string>
}

export function createHosts(): Hosts {
  return { suspects: new Set(), others: new Set(), asked: new WeakMap() }
}

/** Called for every element of the walk: cheap for all but empty boxes. */
export function noticeHost(scan: Scan, element: Element, name: string, style: Style): void {
  // Without a style an element is not drawn at all: its parent has a root and no slot for it.
  if (style.display === '') {
    const parent = parentNode(element)
    if (isElement(parent)) suspect(scan, parent)
  } else if (name.includes('-')) {
    suspect(scan, element)
    if (style.display !== 'none') noticeStranger(scan.page, element, name)
  } else if (HOSTS.has(name)) {
    if (isBare(element)) suspect(scan, element)
    else noticeOther(scan.page.hosts, element)
  }
}

function noticeOther(hosts: Hosts, element: Element): void {
  if (hosts.others.size <= OTHERS && !hosts.asked.has(element)) hosts.others.add(element)
}

/** Begins a walk. `met`: those without a hint that the last one noticed hide nothing. */
export function forgetSuspects({ suspects, others, asked }: Hosts, met: boolean): void {
  if (met) for (const other of others) asked.set(other, '')
  suspects.clear()
  others.clear()
}

/** How many slots there are in what we can see. */
export function countSlots(document: Document): number {
  const roots = [document, ...shadowRootsIn(document)]
  return roots.reduce((count, root) => count + queryAll(root, 'slot').length, 0)
}

/** Has nothing of its own to show. */
function isBare(element: Element): boolean {
  let node = firstChild(element)
  while (node && !isElement(node) && !(isText(node) && /\S/.test(data(node)))) {
    node = nextSibling(node)
  }
  return !node
}

function suspect(scan: Scan, element: Element): void {
  const name = localName(element)
  if (!name.includes('-') && !HOSTS.has(name)) return
  if (shadowRoot(element)) return
  const { hosts } = scan.page
  if (hosts.suspects.size >= SUSPECTS) return
  const box = scan.box(element)
  if (!name.includes('-') && !isWorthwhile(scan, element, box)) return
  if (hosts.asked.get(element) === sizeOf(box)) return
  hosts.suspects.add(element)
}

/** Large enough to hold something, or of no size near the top: what is in it may be lifted out. */
function isWorthwhile(scan: Scan, element: Element, box: DOMRect): boolean {
  if (box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT) return true
  if (!isEmptyBox(box)) return false
  const parent = parentNode(element)
  const body = documentBody(scan.document)
  return parent === body || (!!parent && parentNode(parent) === body)
}

function sizeOf(box: DOMRect): string {
  return `${Math.round(box.width)} ${Math.round(box.height)}`
}

/**
 * The suspects, which then count as asked about; with them those that nothing hints at, if there are
 * no more of these than `most`.
 */
export function takeSuspects(
  { hosts }: Page,
  most: number,
  boxOf: (element: Element) => DOMRect,
): Element[] {
  const { suspects, others, asked } = hosts
  const taken = [...suspects]
  suspects.clear()
  if (others.size <= most) {
    for (const other of others) {
      if (!shadowRoot(other)) taken.push(other)
      // One with an open root needs no asking, now or later.
      else asked.set(other, '')
    }
    others.clear()
  }
  for (const element of taken) asked.set(element, sizeOf(boxOf(element)))
  return taken.filter(isLight)
}

/** Chrome tells an element with all its attributes, also those that hold a picture. */
export function isLight(element: Element): boolean {
  let length = 0
  for (const name of attributeNames(element)) length += attribute(element, name)?.length ?? 0
  return length <= ATTRIBUTES
}
