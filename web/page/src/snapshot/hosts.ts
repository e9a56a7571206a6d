/**
 * Elements that may hide a closed shadow root, noticed on the walk for the engine to ask Chrome.
 *
 * No script can see a closed root. It shows by what it does to its host: a box without children to
 * explain it, or children that are not drawn. Custom elements are always worth asking about; an
 * element once asked about is left alone until its box changes.
 *
 * A plain element whose children fill the slots of its root looks like any other. Such elements are
 * asked about once, where there are few; on large pages only a listener in the root tells of it
 * (`listeners.ts`).
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
  shadowRoot,
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
/** So many plain elements with children are worth asking about; with more, none is. */
const OTHERS = 100
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

/** Begins a walk. */
export function forgetSuspects({ suspects, others }: Hosts): void {
  suspects.clear()
  others.clear()
}

/** How many elements to ask about after a walk. */
export function countSuspects({ suspects, others }: Hosts): number {
  return suspects.size + (others.size <= OTHERS ? others.size : 0)
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

/** The suspects, which then count as asked about. */
export function takeSuspects(page: Page, boxOf: (element: Element) => DOMRect): Element[] {
  const { hosts } = page
  const { suspects, others } = hosts
  const taken = [...suspects]
  if (others.size <= OTHERS) for (const other of others) if (!shadowRoot(other)) taken.push(other)
  for (const element of taken) hosts.asked.set(element, sizeOf(boxOf(element)))
  const light = taken.filter(isLight)
  // One with an open root needs no asking, now or later.
  for (const other of others) if (!hosts.asked.has(other)) hosts.asked.set(other, '')
  forgetSuspects(hosts)
  return light
}

/** Chrome tells an element with all its attributes, also those that hold a picture. */
export function isLight(element: Element): boolean {
  let length = 0
  for (const name of attributeNames(element)) length += attribute(element, name)?.length ?? 0
  return length <= ATTRIBUTES
}
