/**
 * The role of an element, as Chrome computes it.
 *
 * `generic` and `none` mean that an element is only a box. Whether such a box can be clicked is the
 * snapshot's question, not this file's.
 */

import {
  attribute,
  closest,
  flatParent,
  HTML,
  hasAttribute,
  isHtml,
  localName,
  matches,
  namespaceURI,
  queryAll,
  SVG,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { nameOf } from './name.ts'
import { AUTHOR_ROLES, GLOBAL_ARIA } from './role-tables.ts'

export function roleOf(scan: Scan, element: Element): string {
  let role = scan.roles.get(element)
  if (role === undefined) {
    // Names ask for roles; while this one is being computed it counts as a plain box.
    scan.roles.set(element, 'generic')
    role = computeRole(scan, element)
    scan.roles.set(element, role)
  }
  return role
}

function computeRole(scan: Scan, element: Element): string {
  const explicit = attribute(element, 'role')
  if (explicit) {
    for (const token of explicit.toLowerCase().trim().split(/\s+/)) {
      if (!AUTHOR_ROLES.has(token)) continue
      const role = SAME_ROLE[token] ?? token
      if (role === 'none' && mustKeepRole(element)) break
      // A region or form nobody named is only a box.
      if ((role === 'region' || role === 'form') && !nameOf(scan, element)) continue
      return role
    }
  }
  return nativeRole(scan, element)
}

const SAME_ROLE: Record<string, string> = {
  img: 'image',
  presentation: 'none',
  directory: 'list',
}

/** An element that takes focus or has global `aria-*` cannot be declared meaningless. */
function mustKeepRole(element: Element): boolean {
  return isFocusable(element) || GLOBAL_ARIA.some((name) => hasAttribute(element, name))
}

/** Whether the keyboard focus can be given to it, by a person or by script. */
export function isFocusable(element: Element): boolean {
  if (hasAttribute(element, 'tabindex') && tabIndex(element) !== undefined) return true
  if (namespaceURI(element) !== HTML) return localName(element) === 'a' && isLink(element)
  switch (localName(element)) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href')
    case 'button':
    case 'select':
    case 'textarea':
      return !matches(element, ':disabled')
    case 'input':
      return inputType(element) !== 'hidden' && !matches(element, ':disabled')
    case 'summary':
      return isSummary(element)
    case 'iframe':
    case 'embed':
    case 'object':
      return true
    case 'audio':
    case 'video':
      return hasAttribute(element, 'controls')
    default:
      return isEditingHost(element)
  }
}

export function tabIndex(element: Element): number | undefined {
  const value = Number.parseInt(attribute(element, 'tabindex') ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}

export function inputType(element: Element): string {
  return (element as HTMLInputElement).type
}

/** The outermost element of a `contenteditable` region. */
export function isEditingHost(element: Element): boolean {
  const value = attribute(element, 'contenteditable')
  return value !== null && /^(|true|plaintext-only)$/i.test(value)
}

export function isSummary(element: Element): boolean {
  const parent = flatParent(element)
  const details = parent && isHtml(parent, 'slot') ? flatParent(parent) : parent
  return !!details && isHtml(details, 'details') && queryAll(details, 'summary')[0] === element
}

function isLink(element: Element): boolean {
  return hasAttribute(element, 'href') || hasAttribute(element, 'xlink:href')
}

function nativeRole(scan: Scan, element: Element): string {
  const namespace = namespaceURI(element)
  const name = localName(element)
  if (namespace === SVG) return svgRole(scan, element, name)
  if (namespace !== HTML) return name === 'math' ? 'math' : 'generic'
  const simple = SIMPLE[name]
  if (simple) return simple
  return SPECIAL[name]?.(scan, element) ?? 'generic'
}

function svgRole(scan: Scan, element: Element, name: string): string {
  if (name === 'a') return isLink(element) ? 'link' : 'generic'
  if (name === 'svg' || name === 'image') return 'image'
  if (name === 'title' || name === 'desc') return 'none'
  return nameOf(scan, element) ? 'image' : 'generic'
}

/** Elements whose role depends on nothing else. */
const SIMPLE: Record<string, string> = {
  address: 'group',
  article: 'article',
  audio: 'audio',
  blockquote: 'blockquote',
  button: 'button',
  canvas: 'canvas',
  caption: 'caption',
  code: 'code',
  datalist: 'listbox',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dl: 'descriptionlist',
  dt: 'term',
  em: 'emphasis',
  embed: 'embeddedobject',
  fieldset: 'group',
  figure: 'figure',
  form: 'form',
  frame: 'iframe',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hgroup: 'group',
  hr: 'separator',
  iframe: 'iframe',
  ins: 'insertion',
  main: 'main',
  mark: 'mark',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  s: 'deletion',
  search: 'search',
  strong: 'strong',
  sub: 'subscript',
  sup: 'superscript',
  textarea: 'textbox',
  time: 'time',
  ul: 'list',
  video: 'video',
}

type RoleRule = (scan: Scan, element: Element) => string

const SPECIAL: Record<string, RoleRule> = {
  a: (_, element) => (hasAttribute(element, 'href') ? 'link' : 'generic'),
  area: (_, element) => (hasAttribute(element, 'href') ? 'link' : 'generic'),
  aside: (scan, element) =>
    isWithin(element, SECTIONS) && !nameOf(scan, element) ? 'generic' : 'complementary',
  footer: (_, element) => (isWithin(element, `main,${SECTIONS}`) ? 'generic' : 'contentinfo'),
  header: (_, element) => (isWithin(element, `main,${SECTIONS}`) ? 'generic' : 'banner'),
  img: (scan, element) => imageRole(scan, element),
  input: (_, element) => inputRole(element),
  li: (scan, element) => listItemRole(scan, element),
  object: () => 'embeddedobject',
  section: (scan, element) => (nameOf(scan, element) ? 'region' : 'generic'),
  select: (_, element) => {
    const select = element as HTMLSelectElement
    return select.multiple || select.size > 1 ? 'listbox' : 'combobox'
  },
  summary: (_, element) => (isSummary(element) ? 'disclosuretriangle' : 'generic'),
  table: (scan, element) => (isDataTable(scan, element) ? 'table' : 'none'),
  tbody: tablePart('rowgroup'),
  td: (scan, element) => cellRole(scan, element),
  tfoot: tablePart('rowgroup'),
  th: (scan, element) => headerRole(scan, element),
  thead: tablePart('rowgroup'),
  tr: tablePart('row'),
}

/** Inside a section a header, footer or aside speaks for that section only. */
const SECTIONS =
  'article,aside,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]'

function isWithin(element: Element, selector: string): boolean {
  const parent = flatParent(element)
  return !!parent && closest(parent, selector) !== null
}

function imageRole(scan: Scan, element: Element): string {
  const alt = attribute(element, 'alt')
  // Only a name by other means brings back an image that was declared decoration.
  if (alt === '' && !mustKeepRole(element) && !nameOf(scan, element)) return 'none'
  return 'image'
}

function inputRole(element: Element): string {
  switch (inputType(element)) {
    case 'hidden':
      return 'none'
    case 'button':
    case 'submit':
    case 'reset':
    case 'image':
    case 'file':
      return 'button'
    case 'checkbox':
      return hasAttribute(element, 'switch') ? 'switch' : 'checkbox'
    case 'radio':
      return 'radio'
    case 'range':
      return 'slider'
    case 'number':
      return 'spinbutton'
    case 'color':
      return 'colorwell'
    case 'date':
      return 'date'
    case 'time':
      return 'inputtime'
    case 'datetime-local':
    case 'month':
    case 'week':
      return 'datetime'
    case 'search':
      return hasAttribute(element, 'list') ? 'combobox' : 'searchbox'
    default:
      return hasAttribute(element, 'list') ? 'combobox' : 'textbox'
  }
}

const LISTS = new Set(['ul', 'ol', 'menu'])

function listItemRole(scan: Scan, element: Element): string {
  const parent = flatParent(element)
  // A list declared meaningless takes the meaning from its items too.
  return parent && LISTS.has(localName(parent)) && roleOf(scan, parent) === 'none'
    ? 'none'
    : 'listitem'
}

/** The table an element is a part of, by element name. */
function tableOf(element: Element): Element | null {
  return closest(element, 'table')
}

function tablePart(role: string): RoleRule {
  return (scan, element) => {
    const table = tableOf(element)
    return table && isTableRole(roleOf(scan, table)) ? role : 'generic'
  }
}

function isTableRole(role: string): boolean {
  return role === 'table' || role === 'grid' || role === 'treegrid'
}

function cellRole(scan: Scan, element: Element): string {
  const table = tableOf(element)
  const role = table ? roleOf(scan, table) : 'none'
  if (role === 'grid' || role === 'treegrid') return 'gridcell'
  return role === 'table' ? 'cell' : 'generic'
}

function headerRole(scan: Scan, element: Element): string {
  const table = tableOf(element)
  if (!table || !isTableRole(roleOf(scan, table))) return 'generic'
  const scope = attribute(element, 'scope')?.toLowerCase()
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader'
  if (scope === 'col' || scope === 'colgroup') return 'columnheader'
  // Without a scope: beside data it heads its row, among headers only it heads its column.
  const row = closest(element, 'tr')
  const inHead = closest(element, 'thead') !== null
  const besideData = !!row && queryAll(row, ':scope > td').length > 0
  return besideData && !inHead ? 'rowheader' : 'columnheader'
}

/** Whether a table holds data rather than the page's layout: Blink's rules, without colours. */
function isDataTable(scan: Scan, element: Element): boolean {
  if (attribute(element, 'summary') || hasAttribute(element, 'rules')) return true
  if (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby')) return true
  if (Number(attribute(element, 'border')) > 0) return true
  const rows = (element as HTMLTableElement).rows
  if (rows.length === 0) return false
  const table = element as HTMLTableElement
  if (table.caption || table.tHead || table.tFoot) return true
  if (queryAll(element, ':scope > col, :scope > colgroup').length > 0) return true
  if (rows.length >= 20) return true
  let cells = 0
  let bordered = 0
  for (let r = 0; r < Math.min(rows.length, 5); r += 1) {
    for (const cell of Array.from(rows[r]!.cells).slice(0, 8)) {
      if (localName(cell) === 'th') return true
      if (['headers', 'abbr', 'axis', 'scope'].some((name) => hasAttribute(cell, name))) return true
      cells += 1
      if (isBordered(scan, cell)) bordered += 1
    }
  }
  return cells > 1 && bordered * 2 >= cells
}

function isBordered(scan: Scan, cell: Element): boolean {
  const style = scan.page.window.getComputedStyle(cell)
  const has = (width: string) => Number.parseFloat(width) > 0
  return (
    (has(style.borderTopWidth) && has(style.borderBottomWidth)) ||
    (has(style.borderLeftWidth) && has(style.borderRightWidth))
  )
}
