/**
 * The accessible name of an element, as Chrome computes it (accname 1.2, HTML-AAM, SVG-AAM).
 *
 * The steps are those of Blink: references, `aria-label`, what the markup gives (`native.ts`), what
 * is inside (`content.ts`), the tooltip. An element inside what is named speaks by its value first
 * (`value.ts`). Names are raw here, white space apart; cleaning and cutting is for whoever prints.
 */

import {
  attribute,
  attributeElements,
  checkVisibility,
  closest,
  elementInRoot,
  HTML,
  hasAttribute,
  innerText,
  isPlain,
  localName,
  namespaceURI,
  textContent,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { isAction } from './actions.ts'
import { contentOf } from './content.ts'
import { aria } from './internals.ts'
import { mayBeLabelled } from './labels.ts'
import { fileStatus, nativeName } from './native.ts'
import { parentOf } from './owns.ts'
import { NAMED_BY_CONTENT, SILENT_IN_NAMES, UNTITLED } from './role-tables.ts'
import { isEditingHost, isFocusable, roleOf } from './roles.ts'
import { embeddedValue } from './value.ts'

/** One name being computed. */
export interface Naming {
  /** Elements already asked, against cycles. */
  readonly visited: Set<Element>
  /** Texts read: Chrome stops after a hundred elements and texts. */
  texts: number
  /** Where `aria-labelledby` has led; there every role gives its content. */
  readonly root: Element | undefined
  /** That element is hidden, so hidden content counts. */
  readonly hidden: boolean
  /** Blocks passed on the way. */
  blocks: number
  /** How deep we are in what is named. */
  depth: number
  /** What was found last is no text of its own, so it stands apart from what is beside it. */
  apart: boolean
}

export function nameOf(scan: Scan, element: Element): string {
  let name = scan.names.get(element)
  if (name === undefined) {
    // Roles ask for names and names for roles; in a circle there is none.
    scan.names.set(element, '')
    name = tidy(ownName(scan, element))
    scan.names.set(element, name)
  }
  return name
}

/** The name an author or a native label gives, content and tooltip apart. */
export function labelOf(scan: Scan, element: Element): string {
  if (isPlain(element) && !mayBeLabelled(element)) return ''
  const naming = start(element)
  return tidy(
    fromReferences(scan, element, naming) ||
      ariaLabel(element) ||
      fromLabels(scan, element, naming) ||
      '',
  )
}

/** The text of an element as its name would have it, whatever its role. */
export function contentText(scan: Scan, element: Element): string {
  return tidy(contentOf(scan, element, start(element)))
}

export function elementWithId(_scan: Scan, near: Element, id: string): Element | null {
  return elementInRoot(near, id)
}

/** Whether `aria-label`, `aria-labelledby` or `title` names it: enough to make a region of a section. */
export function isNamedByAuthor(element: Element): boolean {
  return (
    ariaLabel(element) !== '' || referencesOf(element).length > 0 || hasAttribute(element, 'title')
  )
}

/** The same for an element that most often refers to nothing: a name need not be begun for it. */
function fromOwnReferences(scan: Scan, element: Element): string {
  if (!REFERENCES.some((name) => hasAttribute(element, name))) return ''
  return fromReferences(scan, element, start(element))
}

const REFERENCES = ['aria-labelledby', 'aria-labeledby']

function start(element: Element): Naming {
  return {
    visited: new Set([element]),
    texts: 0,
    root: undefined,
    hidden: false,
    blocks: 0,
    depth: 0,
    apart: false,
  }
}

function ownName(scan: Scan, element: Element): string {
  // What was declared meaningless has no name either, whatever its markup gives.
  if (roleOf(scan, element) === 'none') return ''
  const replaced = scan.generated.replacement(element)
  if (replaced !== undefined) return replaced
  // A slot is where its content comes to stand, and nobody can name that.
  if (localName(element) !== 'slot') {
    const given = fromOwnReferences(scan, element) || ariaLabel(element)
    if (given) return given
  }
  const naming = start(element)
  // Where the markup names a thing, an empty name is one: no tooltip takes its place.
  const native = nativeName(scan, element, naming)
  if (native !== undefined) return native
  const role = roleOf(scan, element)
  if (isNamedByContent(scan, element, role)) {
    const text = contentOf(scan, element, naming)
    if (tidy(text)) return text
  }
  return mayHaveTooltip(element, role) ? tooltip(element, role) : ''
}

/** What an element gives to the name of another. */
export function alternative(scan: Scan, element: Element, naming: Naming): string {
  const again = naming.visited.has(element)
  if (again && !naming.root) return ''
  naming.apart = true
  const replaced = scan.generated.replacement(element)
  if (replaced !== undefined) return replaced
  const value = again ? undefined : embeddedValue(scan, element, naming)
  naming.apart = true
  if (value !== undefined) return value
  naming.visited.add(element)
  if (localName(element) === 'slot') return fromContent(scan, element, naming)
  const given =
    (naming.root || again ? '' : fromReferences(scan, element, naming)) ||
    ariaLabel(element) ||
    nativeName(scan, element, naming)
  naming.apart = true
  if (given) return given + fileStatus(element)
  const role = roleOf(scan, element)
  if (localName(element) !== 'select' && (naming.root || contributes(scan, element, role))) {
    const text = fromContent(scan, element, naming)
    if (text) return text
  }
  naming.apart = true
  return naming.root || mayHaveTooltip(element, role) ? tooltip(element, role) : ''
}

function fromContent(scan: Scan, element: Element, naming: Naming): string {
  const text = contentOf(scan, element, naming)
  naming.apart = false
  return text
}

function isNamedByContent(scan: Scan, element: Element, role: string): boolean {
  if (role === 'row') return isInGrid(scan, element)
  if (!NAMED_BY_CONTENT.has(role) || localName(element) === 'select') return false
  // Formulas are not read, and what is being written is a value.
  return localName(element) !== 'math' && !isEditingHost(element)
}

/** Whether the text in an element is part of the names of what is around it. */
export function isPartOfNames(scan: Scan, element: Element): boolean {
  if (isAction(scan, element)) return false
  return contributes(scan, element, roleOf(scan, element))
}

function contributes(scan: Scan, element: Element, role: string): boolean {
  if (role === 'row') return isInGrid(scan, element)
  if (!SILENT_IN_NAMES.has(role)) return !UNSPOKEN.has(localName(element))
  return SPOKEN.has(localName(element)) && !attribute(element, 'role')
}

/** Images and groups to us, but Chrome knows more of them and reads the words in them. */
const SPOKEN = new Set(['address', 'details', 'footer', 'svg'])

/** Annotations are said beside what they annotate; formulas are not said at all. */
const UNSPOKEN = new Set(['rt', 'rp', 'math'])

function isInGrid(scan: Scan, row: Element): boolean {
  for (let at = parentOf(scan, row); at; at = parentOf(scan, at)) {
    const role = roleOf(scan, at)
    if (role === 'grid' || role === 'treegrid') return true
    if (role !== 'generic' && role !== 'none' && role !== 'group' && role !== 'rowgroup') break
  }
  return false
}

function mayHaveTooltip(element: Element, role: string): boolean {
  if (!UNTITLED.has(role)) return true
  if (role !== 'generic') return false
  const name = localName(element)
  return BOXES_WITH_TITLES.has(name) || name.includes('-') || isFocusable(element)
}

/** Boxes to us, but Chrome knows more of them and lets a tooltip name them. */
const BOXES_WITH_TITLES = new Set([
  'abbr',
  'figcaption',
  'label',
  'legend',
  'ruby',
  'table',
  'td',
  'th',
  'tr',
])

/**
 * A tooltip that only repeats the text in a thing is no name. What goes by its text keeps it, other
 * than in Chrome: its text says nothing, or we would not be here, and no name at all helps nobody.
 */
function tooltip(element: Element, role: string): string {
  const title = attribute(element, 'title')
  if (!title || !/\S/.test(title)) return ''
  if (NAMED_BY_CONTENT.has(role) || namespaceURI(element) !== HTML) return title
  const text = textContent(element) ?? ''
  // What the eye sees is dear to ask for, so only where the letters are there, and not many besides.
  if (text.length > LONG || !letters(text).includes(letters(title))) return title
  return strip(innerText(element as HTMLElement)) === strip(title) ? '' : title
}

/** Nobody repeats a whole page in a tooltip. */
const LONG = 20_000

function letters(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

function strip(text: string): string {
  return text.replace(/^[ \t\n\r\f]+|[ \t\n\r\f]+$/g, '')
}

export function ariaLabel(element: Element): string {
  const label = aria(element, 'aria-label')
  return label && /\S/.test(label) ? label : ''
}

/** `aria-labelledby`: the texts of the elements it points to, hidden ones included. */
function fromReferences(scan: Scan, element: Element, naming: Naming): string {
  const targets = referencesOf(element)
  if (targets.length === 0) return ''
  // What one part of a name refers to, the next does not say again.
  const { visited } = naming
  let text = ''
  for (const target of targets) {
    const shown = checkVisibility(target) || isContents(scan, target)
    const hidden = !shown || !scan.style(target).shown || !!closest(target, '[aria-hidden=true i]')
    const inner: Naming = { ...naming, root: target, hidden, apart: false }
    const part = alternative(scan, target, inner)
    visited.add(target)
    if (part) text += text ? ` ${part}` : part
  }
  return /\S/.test(text) ? text : ''
}

function referencesOf(element: Element): Element[] {
  const ids = attribute(element, 'aria-labelledby') ?? attribute(element, 'aria-labeledby')
  if (ids === null) return []
  if (!ids) return attributeElements(element, 'ariaLabelledByElements')
  const found: Element[] = []
  for (const id of ids.trim().split(/\s+/).slice(0, 20)) {
    const target = id ? elementInRoot(element, id) : null
    if (target && !NEVER_RENDERED.has(localName(target))) found.push(target)
  }
  return found
}

const NEVER_RENDERED = new Set(['script', 'style', 'template', 'head', 'meta', 'link'])

/** The texts of its labels, empty if they are hidden; undefined without any. */
export function fromLabels(scan: Scan, element: Element, naming: Naming): string | undefined {
  const labels = scan.labels.of(element)
  if (labels.length === 0) return undefined
  const parts: string[] = []
  for (const label of labels) {
    const inner: Naming = { ...naming, root: undefined, hidden: false, apart: false }
    const part = isHiddenLabel(scan, label) ? '' : alternative(scan, label, inner).trim()
    if (part) parts.push(part)
  }
  return parts.join(' ')
}

/** Text that nobody sees names nothing, unless it is referred to. */
export function isHiddenLabel(scan: Scan, element: Element): boolean {
  if (attribute(element, 'aria-hidden')?.toLowerCase() === 'true') return true
  return !checkVisibility(element, { visibilityProperty: true }) && !isContents(scan, element)
}

/** Without a box of its own, but perhaps not hidden. */
function isContents(scan: Scan, element: Element): boolean {
  return scan.style(element).display === 'contents'
}

/** White space as HTML has it; a no-break space is a character. */
export function tidy(text: string): string {
  if (!/[\t\n\r\f]| {2}|^ | $/.test(text)) return text
  return text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '')
}
