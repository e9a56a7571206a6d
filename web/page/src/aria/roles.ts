/**
 * The role of an element, as Chrome computes it.
 *
 * `generic` and `none` mean that an element is only a box. Whether such a box can be clicked is the
 * snapshot's question, not this file's.
 */

import {
  attribute,
  attributeNames,
  closest,
  firstChild,
  flatParent,
  HTML,
  hasAttribute,
  isElement,
  isHtml,
  isPlain,
  localName,
  matches,
  namespaceURI,
  nextSibling,
  parentNode,
  queryAll,
  SVG,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { internalRole } from './internals.ts'
import { isNamedByAuthor } from './name.ts'
import { parentOf } from './owns.ts'
import { AUTHOR_ROLES, GLOBAL_ARIA } from './role-tables.ts'
import { cellRole, rowRole, sectionRole, tableRole } from './tables.ts'

export function roleOf(scan: Scan, element: Element): string {
  const known = scan.roles.get(element)
  if (known !== undefined) return known
  // A role may depend on those around it; a page nested without end must not end us.
  if (asking > DEEPEST) return 'generic'
  asking += 1
  const role = computeRole(scan, element)
  asking -= 1
  scan.roles.set(element, role)
  return role
}

/** Roles being computed now, each for the sake of the one before. */
let asking = 0
const DEEPEST = 300

function computeRole(scan: Scan, element: Element): string {
  const explicit = attribute(element, 'role')
  if (explicit) return writtenRole(scan, element, explicit) ?? nativeRole(scan, element)
  return internalRole(element) ?? nativeRole(scan, element)
}

/** The first role of the attribute that holds for this element. */
function writtenRole(scan: Scan, element: Element, explicit: string): string | undefined {
  for (const token of explicit.toLowerCase().trim().split(/\s+/)) {
    if (!AUTHOR_ROLES.has(token)) continue
    const role = SAME_ROLE[token] ?? token
    if (role === 'none' && mustKeepRole(element)) return undefined
    // A region or form nobody named is only a box.
    if ((role === 'region' || role === 'form') && !isNamedByAuthor(element)) {
      if (!hasAttribute(element, 'aria-roledescription')) continue
    }
    const company = NEEDS[role]
    if (
      company &&
      !(role === 'listitem' && isHtml(element, 'li')) &&
      !isAmong(scan, element, company)
    )
      return undefined
    // A closed select stays what it is.
    if (role === 'combobox' && isHtml(element, 'select')) return undefined
    return role
  }
  return undefined
}

/** Items mean nothing outside a list of their kind; boxes between do not count. */
const NEEDS: Record<string, readonly string[]> = {
  listitem: ['list', 'group'],
  option: ['listbox', 'group'],
  treeitem: ['tree', 'treeitem', 'group'],
}

function isAmong(scan: Scan, element: Element, company: readonly string[]): boolean {
  for (let at = parentOf(scan, element); at; at = parentOf(scan, at)) {
    const role = roleOf(scan, at)
    if (role !== 'generic' && role !== 'none') return company.includes(role)
  }
  return false
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
  if (namespace === SVG) return svgRole(element, name)
  if (namespace !== HTML) return name === 'math' ? 'math' : 'generic'
  const simple = SIMPLE[name]
  if (simple) return simple
  return SPECIAL[name]?.(scan, element) ?? boxRole(scan, element)
}

/** A box that can be dragged, shown or focused at once is a group; a picture may replace it. */
function boxRole(scan: Scan, element: Element): string {
  const name = localName(element)
  if (name === 'div') {
    if (!isPlain(element)) {
      if (hasAttribute(element, 'role')) return 'generic'
      if (GROUPED_BY.some((own) => hasAttribute(element, own))) return 'group'
    }
    if (scan.style(element).display === 'list-item') return 'listitem'
  }
  return scan.generated.replacement(element) ? 'image' : 'generic'
}

const GROUPED_BY = ['popover', 'draggable', 'autofocus']

/** The role of a part of a drawing; most are nothing but lines. */
function svgRole(element: Element, name: string): string {
  if (name === 'a') return isLink(element) ? 'link' : 'generic'
  if (name === 'title' || name === 'desc') return 'none'
  if (name === 'svg') {
    const parent = parentNode(element)
    if (!isElement(parent) || namespaceURI(parent) !== SVG) return 'image'
    return isTold(element) ? 'group' : 'generic'
  }
  const role = DRAWN[name]
  return role && isTold(element) ? role : 'generic'
}

const DRAWN: Record<string, string> = {
  circle: 'graphics-symbol',
  ellipse: 'graphics-symbol',
  g: 'group',
  image: 'image',
  line: 'graphics-symbol',
  path: 'graphics-symbol',
  polygon: 'graphics-symbol',
  polyline: 'graphics-symbol',
  rect: 'graphics-symbol',
  use: 'graphics-object',
}

/** Whether the author says anything about a part of a drawing. */
function isTold(element: Element): boolean {
  if (closest(element, 'symbol')) return false
  for (let node = firstChild(element); node; node = nextSibling(node)) {
    if (isElement(node) && (localName(node) === 'title' || localName(node) === 'desc')) return true
  }
  return attributeNames(element).some(
    (name) => name.startsWith('aria-') || name === 'tabindex' || name === 'onclick',
  )
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
  dir: 'list',
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
  a: (_, element) =>
    hasAttribute(element, 'href') || hasAttribute(element, 'onclick') ? 'link' : 'generic',
  area: (_, element) => (hasAttribute(element, 'href') ? 'link' : 'generic'),
  aside: (scan, element) =>
    isInSection(scan, element, false) && !isNamedByAuthor(element) ? 'generic' : 'complementary',
  footer: (scan, element) => (isInSection(scan, element, true) ? 'sectionfooter' : 'contentinfo'),
  header: (scan, element) => (isInSection(scan, element, true) ? 'sectionheader' : 'banner'),
  img: (_, element) => imageRole(element),
  input: (_, element) => inputRole(element as HTMLInputElement),
  li: (_, element) => listItemRole(element),
  object: () => 'embeddedobject',
  section: (_, element) => (isNamedByAuthor(element) ? 'region' : 'generic'),
  select: (_, element) => {
    const select = element as HTMLSelectElement
    return select.multiple || select.size > 1 ? 'listbox' : 'combobox'
  },
  summary: (_, element) => (isSummary(element) ? 'disclosuretriangle' : 'generic'),
  table: tableRole,
  tbody: sectionRole,
  td: cellRole,
  tfoot: sectionRole,
  th: cellRole,
  thead: sectionRole,
  tr: rowRole,
}

/** Inside a section a header, footer or aside speaks for that section only. */
function isInSection(scan: Scan, element: Element, orMain: boolean): boolean {
  for (let at = flatParent(element); at; at = flatParent(at)) {
    const name = localName(at)
    if (LIKE_IT.has(name) && !hasAttribute(at, 'role')) {
      // An aside is one, or is itself inside one; the others have perhaps been looked at.
      if (name === 'aside') return true
      const known = orMain ? scan.roles.get(at) : undefined
      if (known) return known.startsWith('section')
      continue
    }
    switch (roleOf(scan, at)) {
      case 'article':
      case 'complementary':
      case 'navigation':
        return true
      case 'main':
        if (orMain) return true
        break
      case 'region':
      case 'generic':
        if (isHtml(at, 'section') && !isRegionByRole(at)) return true
    }
  }
  return false
}

const LIKE_IT = new Set(['aside', 'footer', 'header'])

function isRegionByRole(section: Element): boolean {
  return hasAttribute(section, 'role') && isNamedByAuthor(section)
}

function imageRole(element: Element): string {
  // Only the author's words elsewhere bring back an image that was declared decoration.
  if (attribute(element, 'alt') !== '' || attribute(element, 'title')) return 'image'
  return mustKeepRole(element) ? 'image' : 'none'
}

function inputRole(element: HTMLInputElement): string {
  const type = inputType(element)
  const role = INPUTS[type] ?? 'textbox'
  // Fields that offer a list of values; a slider and a colour show theirs otherwise.
  const offers = type !== 'range' && type !== 'color' && element.list
  return offers ? 'combobox' : role
}

const INPUTS: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  color: 'colorwell',
  date: 'date',
  'datetime-local': 'datetime',
  file: 'button',
  hidden: 'none',
  image: 'button',
  month: 'datetime',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  time: 'inputtime',
  week: 'datetime',
}

const LISTS = new Set(['ul', 'ol', 'menu'])

/** A list that an author gave another role takes the meaning from its items too. */
function listItemRole(element: Element): string {
  const parent = flatParent(element)
  if (!parent || !LISTS.has(localName(parent))) return 'listitem'
  const role = attribute(parent, 'role')
  return !role || role === 'list' || role === 'directory' ? 'listitem' : 'none'
}
