/**
 * The accessible name of an element, as Chrome computes it (accname 1.2, HTML-AAM).
 *
 * Names are raw here, white space apart; cleaning and cutting is for whoever prints them. Content
 * is walked at most `DEPTH` levels deep, which no honest label reaches.
 */

import {
  attribute,
  checkVisibility,
  closest,
  data,
  elementById,
  flatChildren,
  getRootNode,
  HTML,
  hasAttribute,
  isElement,
  isHtml,
  isText,
  localName,
  namespaceURI,
  nextFlat,
  nodeType,
  queryAll,
  SVG,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { NAMED_BY_CONTENT, NOT_IN_CONTENT_NAMES } from './role-tables.ts'
import { inputType, roleOf } from './roles.ts'

const DEPTH = 60
/** No name needs more; the printed one is far shorter. */
const ENOUGH = 1000

export function nameOf(scan: Scan, element: Element): string {
  let name = scan.names.get(element)
  if (name === undefined) {
    // A cycle of references ends at the element it began with.
    scan.names.set(element, '')
    name = tidy(ownName(scan, element))
    scan.names.set(element, name)
  }
  return name
}

/** The name an author or a native label gives, content and tooltip apart. */
export function labelOf(scan: Scan, element: Element): string {
  return tidy(
    fromReferences(scan, element) || ariaLabel(element) || fromLabels(scan, element) || '',
  )
}

/** The text of an element as its name would have it, whatever its role. */
export function contentText(scan: Scan, element: Element): string {
  return tidy(content(scan, element, { depth: 0, hidden: false, owner: element, length: 0 }))
}

function ownName(scan: Scan, element: Element): string {
  return (
    fromReferences(scan, element) ||
    ariaLabel(element) ||
    native(scan, element) ||
    fromContent(scan, element) ||
    tooltip(element)
  )
}

function fromContent(scan: Scan, element: Element): string {
  if (!NAMED_BY_CONTENT.has(roleOf(scan, element)) || localName(element) === 'select') return ''
  return content(scan, element, { depth: 0, hidden: false, owner: element, length: 0 })
}

function tooltip(element: Element): string {
  // An image declared to be decoration stays without a name.
  if (isHtml(element, 'img') && attribute(element, 'alt') === '') return ''
  return attribute(element, 'title') ?? ''
}

function ariaLabel(element: Element): string {
  return tidy(attribute(element, 'aria-label') ?? '')
}

/** `aria-labelledby`: the texts of the elements it points to, hidden ones included. */
function fromReferences(scan: Scan, element: Element): string {
  const ids = attribute(element, 'aria-labelledby')
  if (!ids) return ''
  const parts: string[] = []
  for (const id of ids.trim().split(/\s+/).slice(0, 20)) {
    const target = elementWithId(scan, element, id)
    if (target) parts.push(referenced(scan, target, element))
  }
  return parts.join(' ')
}

export function elementWithId(scan: Scan, near: Element, id: string): Element | null {
  const root = getRootNode(near)
  if (root === scan.document) return elementById(scan.document, id)
  return nodeType(root) === 11 ? (root as ShadowRoot).getElementById(id) : null
}

function referenced(scan: Scan, target: Element, owner: Element): string {
  const walk: Walk = { depth: 0, hidden: isHidden(scan, target), owner, length: 0 }
  return (
    ariaLabel(target) ||
    (target === owner ? '' : embedded(scan, target, walk)) ||
    native(scan, target, true) ||
    content(scan, target, walk) ||
    tooltip(target)
  )
}

function fromLabels(scan: Scan, element: Element): string {
  // The label around a field holds the field, whose name is being asked for.
  if (scan.naming.has(element)) return ''
  scan.naming.add(element)
  const parts: string[] = []
  for (const label of scan.labels.of(element)) {
    const walk: Walk = { depth: 0, hidden: isHidden(scan, label), owner: element, length: 0 }
    parts.push(ariaLabel(label) || content(scan, label, walk))
  }
  scan.naming.delete(element)
  return tidy(parts.map(tidy).filter(Boolean).join(' '))
}

/** What the markup itself says: labels, `alt`, captions, button values, placeholders. */
function native(scan: Scan, element: Element, referencedBy = false): string {
  if (namespaceURI(element) === SVG) return svgTitle(scan, element)
  if (namespaceURI(element) !== HTML) return ''
  switch (localName(element)) {
    case 'input':
      return inputName(scan, element as HTMLInputElement)
    case 'textarea':
      return (
        fromLabels(scan, element) || tooltip(element) || (attribute(element, 'placeholder') ?? '')
      )
    case 'button':
    case 'select':
    case 'meter':
    case 'output':
    case 'progress':
      return fromLabels(scan, element)
    case 'img':
    case 'area':
      return attribute(element, 'alt') ?? ''
    case 'fieldset':
      return childName(scan, element, 'legend')
    case 'table':
      return childName(scan, element, 'caption') || (attribute(element, 'summary') ?? '')
    case 'optgroup':
    case 'track':
      return attribute(element, 'label') ?? ''
    case 'option':
      return referencedBy ? '' : (attribute(element, 'label') ?? '')
    default:
      return ''
  }
}

function inputName(scan: Scan, input: HTMLInputElement): string {
  const labels = fromLabels(scan, input)
  if (labels) return labels
  switch (inputType(input)) {
    case 'submit':
    case 'reset':
    case 'button': {
      const value = attribute(input, 'value')
      if (value !== null) return value
      if (input.type === 'button') return ''
      return input.type === 'submit' ? 'Submit' : 'Reset'
    }
    case 'image':
      return attribute(input, 'alt') || attribute(input, 'value') || tooltip(input) || 'Submit'
    case 'file':
      return tooltip(input) || (input.multiple ? 'Choose Files' : 'Choose File')
    case 'checkbox':
    case 'radio':
    case 'range':
    case 'color':
      return ''
    default:
      return tooltip(input) || (attribute(input, 'placeholder') ?? '')
  }
}

function childName(scan: Scan, element: Element, name: string): string {
  for (const child of queryAll(element, `:scope > ${name}`)) {
    const walk: Walk = { depth: 0, hidden: false, owner: element, length: 0 }
    return isHidden(scan, child) ? '' : content(scan, child, walk)
  }
  return ''
}

/** The `<title>` of a drawing, or of what its `<use>` shows. */
function svgTitle(scan: Scan, element: Element): string {
  for (const child of queryAll(element, ':scope > title')) return child.textContent ?? ''
  if (localName(element) !== 'svg') return attribute(element, 'xlink:title') ?? ''
  for (const use of queryAll(element, 'use')) {
    const href = attribute(use, 'href') ?? attribute(use, 'xlink:href') ?? ''
    const shown = href.startsWith('#') ? elementWithId(scan, element, href.slice(1)) : null
    if (!shown) break
    for (const title of queryAll(shown, ':scope > title')) return title.textContent ?? ''
    break
  }
  return ''
}

interface Walk {
  depth: number
  /** Hidden content counts, because a hidden element was referred to by id. */
  hidden: boolean
  /** Whose name it is. */
  owner: Element
  length: number
}

function content(scan: Scan, element: Element, walk: Walk, ownText = true): string {
  if (walk.depth > DEPTH || walk.length > ENOUGH) return ''
  walk.depth += 1
  let text = ownText ? generated(scan, element, '::before') : ''
  const transform = { of: element, value: undefined as string | undefined }
  const children = flatChildren(element)
  for (let node = nextFlat(children); node; node = nextFlat(children)) {
    if (isText(node)) {
      if (!ownText) continue
      const own = data(node)
      text += /\S/.test(own) ? transformed(scan, own, transform) : own && ' '
      walk.length += own.length
    } else if (isElement(node)) {
      text += fromChild(scan, node, walk)
    }
    if (walk.length > ENOUGH) break
  }
  walk.depth -= 1
  return ownText ? text + generated(scan, element, '::after') : text
}

function fromChild(scan: Scan, child: Element, walk: Walk): string {
  const name = localName(child)
  if (UNREAD.has(name) || child === walk.owner) return ''
  if (name === 'br') return ' '
  const style = scan.style(child)
  if (!walk.hidden) {
    if (style.display === 'none' || attribute(child, 'aria-hidden') === 'true') return ''
    if (!style.shown) {
      // What is inside may be visible again.
      return spaced(style.display, content(scan, child, walk, false))
    }
  }
  const role = roleOf(scan, child)
  const inWidget = walk.owner !== child && NOT_IN_CONTENT_NAMES.has(role)
  if (inWidget && /^(treeitem|menuitem|row)/.test(roleOf(scan, walk.owner))) return ''
  const text =
    fromReferencesOnce(scan, child, walk) ||
    ariaLabel(child) ||
    embedded(scan, child, walk) ||
    native(scan, child, true) ||
    (role === 'listbox' || localName(child) === 'select' ? '' : content(scan, child, walk)) ||
    tooltip(child)
  return spaced(style.display, text)
}

const UNREAD = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'video',
  'audio',
])

/** References are followed from an element in the content, but not from one referred to itself. */
function fromReferencesOnce(scan: Scan, child: Element, walk: Walk): string {
  if (walk.owner === child || walk.hidden || !hasAttribute(child, 'aria-labelledby')) return ''
  return nameOf(scan, child)
}

/** A control inside a label speaks by its value. */
function embedded(scan: Scan, element: Element, walk: Walk): string {
  if (element === walk.owner) return ''
  switch (roleOf(scan, element)) {
    case 'textbox':
    case 'searchbox':
    case 'date':
    case 'datetime':
    case 'inputtime':
      if (localName(element) === 'input') {
        const input = element as HTMLInputElement
        return input.type === 'password' ? '' : input.value
      }
      return localName(element) === 'textarea' ? (element as HTMLTextAreaElement).value : ''
    case 'combobox':
    case 'listbox':
      if (localName(element) === 'select') {
        const selected = (element as HTMLSelectElement).selectedOptions
        return Array.from(selected, (option) => option.label).join(' ')
      }
      return localName(element) === 'input' ? (element as HTMLInputElement).value : ''
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'progressbar':
    case 'meter':
      return (
        attribute(element, 'aria-valuetext') ??
        attribute(element, 'aria-valuenow') ??
        (localName(element) === 'input' ? (element as HTMLInputElement).value : '')
      )
    default:
      return ''
  }
}

/** Text that a style sheet puts before or after the content. */
function generated(scan: Scan, element: Element, where: '::before' | '::after'): string {
  const style = scan.page.window.getComputedStyle(element, where)
  const value = style.content
  if (value === 'none' || value === 'normal' || !value) return ''
  const text = contentStrings(value, (name) => attribute(element, name) ?? '')
  return text && spaced(style.display, text)
}

/** The strings of a `content` property; what follows `/` is the author's text for it. */
export function contentStrings(value: string, attr: (name: string) => string): string {
  const parts: string[] = []
  const token = /"((?:[^"\\]|\\.)*)"|attr\(([^),\s]+)[^)]*\)|(\/)/g
  for (let found = token.exec(value); found; found = token.exec(value)) {
    if (found[3]) parts.length = 0
    else if (found[2]) parts.push(attr(found[2]))
    else parts.push(found[1]!.replace(/\\(.)/g, '$1'))
  }
  return parts.join('')
}

/** Boxes that are not part of a line stand apart from what is beside them. */
function spaced(display: string, text: string): string {
  return display === 'inline' || !text ? text : ` ${text} `
}

function transformed(
  scan: Scan,
  text: string,
  transform: { of: Element; value: string | undefined },
): string {
  transform.value ??= textTransform(scan, transform.of)
  return applyTransform(text, transform.value)
}

export function textTransform(scan: Scan, element: Element): string {
  return scan.page.window.getComputedStyle(element).textTransform
}

export function applyTransform(text: string, transform: string): string {
  switch (transform) {
    case 'uppercase':
      return text.toUpperCase()
    case 'lowercase':
      return text.toLowerCase()
    case 'capitalize':
      return text.replace(
        /(^|[^\p{L}\p{N}'’])(\p{L})/gu,
        (_, before, letter) => before + letter.toUpperCase(),
      )
    default:
      return text
  }
}

function isHidden(scan: Scan, element: Element): boolean {
  if (closest(element, '[aria-hidden=true]')) return true
  return !checkVisibility(element, { visibilityProperty: true }) && !isContents(scan, element)
}

/** Without a box of its own, but perhaps not hidden. */
function isContents(scan: Scan, element: Element): boolean {
  return scan.style(element).display === 'contents'
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
