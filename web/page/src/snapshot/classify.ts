/**
 * Whether an element has a line of its own, and what stands in it.
 */

import { labelOf, nameOf } from '../aria/name.ts'
import { PHRASES, SAYS_IT_ALL, WIDGETS } from '../aria/role-tables.ts'
import { inputType, isEditingHost, isFocusable, roleOf, tabIndex } from '../aria/roles.ts'
import { addressOf, shownValue, statesOf } from '../aria/states.ts'
import { type Clickable, clickability } from '../clickable.ts'
import {
  attribute,
  checkVisibility,
  clientHeight,
  clientRects,
  clientWidth,
  documentURL,
  firstChild,
  flatParent,
  hasAttribute,
  isElement,
  isFrame,
  isHtml,
  isPlain,
  localName,
  nextSibling,
  scrollHeight,
  scrollWidth,
} from '../dom.ts'
import { isDisabled, isEditable, isInput, isToggle } from '../fields.ts'
import type { Scan, Style } from '../scan.ts'
import { clean, cut, NAME_LIMIT, VALUE_LIMIT } from '../text.ts'
import { wholeAddress } from '../url.ts'
import { hasArea, intersect, isSeen, scrollsContent } from '../visibility.ts'
import { type ElementNode, elementNode } from './outline.ts'
import { ownClip, type Sight, type Surroundings, type Walk } from './walk.ts'

/** An element that gets a line. */
export interface Found {
  role: string
  ref: boolean
  byPointer: boolean
  scrolls: boolean
  /** A person cannot see it; it is here because something visible works it. */
  unseen: boolean
}

/** Boxes with a role of their own that say nothing a line could. */
const STRUCTURE = new Set(['rowgroup', 'caption', 'none', 'generic', 'math'])
const MEDIA = new Set(['canvas', 'video', 'audio', 'embeddedobject'])
const TABLES = new Set(['table', 'grid', 'treegrid'])
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader', 'row'])
/** Leaves that are nothing without a size. */
const MEASURED = new Set(['image', 'iframe', 'canvas', 'video', 'audio', 'embeddedobject'])
const TEXT_MODE = new Set([
  'heading',
  'list',
  'listitem',
  'table',
  'grid',
  'treegrid',
  'row',
  'cell',
  'gridcell',
  'columnheader',
  'rowheader',
  'term',
  'definition',
  'image',
  'iframe',
])

export function classify(
  state: Walk,
  element: Element,
  style: Style,
  around: Surroundings,
  sight: Sight,
): Found | undefined {
  const { scan, options } = state
  const plain = isPlain(element)
  // An `<object>` that shows a document is a frame by another name.
  let role = isFrame(element) ? 'iframe' : roleOf(scan, element)
  if (role === 'embeddedobject' && showsFallback(element)) role = 'generic'
  if (options.mode === 'text') return forTextMode(state, role, sight)
  if (isInput(element) && inputType(element) === 'hidden') return undefined
  const widget = WIDGETS.has(role) && isActingRole(scan, element, role)
  const pressed = widget ? undefined : pressedAs(scan, element, around)
  const editing = !plain && isEditingHost(element) && isEditable(element) && isHost(element)
  const scrolls = style.overflow !== 'visible' && isScroller(element, style) && sight.box()
  const ref = widget || MEDIA.has(role) || !!pressed || editing || scrolls
  const mere = STRUCTURE.has(role) || (MERE.has(role) && (plain || isMere(scan, element, role)))
  if (mere && !ref) return undefined
  const visible = ref || MEASURED.has(role) ? sight.box() : sight.content
  if (!visible && !options.includeHidden) {
    if (!ref || !isKept(scan, element, style, around)) return undefined
  }
  if (around.quiet && !ref) return undefined
  if (around.ariaHidden && !ref && role !== 'iframe') return undefined
  if (role === 'image' && !ref && !nameOf(scan, element)) return undefined
  if (mere) role = editing ? 'textbox' : pressed ? 'clickable' : 'generic'
  return {
    role,
    ref: ref && role !== 'iframe',
    byPointer: !!pressed && pressed !== 'markup' && !editing && !scrolls,
    scrolls,
    unseen:
      !visible &&
      (options.includeHidden || around.hidden || style.display === 'none' || !style.shown),
  }
}

/** How something that is no widget shows that it can be clicked. */
function pressedAs(scan: Scan, element: Element, around: Surroundings): Clickable {
  const how = clickability(scan, element)
  // What listens inside a button is a part of it.
  return how === 'listener' && around.quiet ? undefined : how
}

function forTextMode(state: Walk, role: string, sight: Sight): Found | undefined {
  if (!TEXT_MODE.has(role)) return undefined
  if (!state.options.includeHidden && !(MEASURED.has(role) ? sight.box() : sight.content))
    return undefined
  return { role, ref: false, byPointer: false, scrolls: false, unseen: false }
}

/**
 * A phrase role that the markup implies is only text; one an author wrote is an element. The head or
 * foot of a part of the page says nothing by itself.
 */
function isMere(scan: Scan, element: Element, role: string): boolean {
  if (PHRASES.has(role) && hasAttribute(element, 'role')) return false
  return !labelOf(scan, element)
}

/** Roles that are nothing without a name. */
const MERE = new Set([...PHRASES, 'sectionheader', 'sectionfooter'])

/** An option belongs to its list; in a closed select it cannot be acted on by itself. */
function isActingRole(scan: Scan, element: Element, role: string): boolean {
  if (role !== 'option' || !isHtml(element, 'option')) return true
  const parent = flatParent(element)
  const select = parent && isHtml(parent, 'optgroup') ? flatParent(parent) : parent
  return !!select && roleOf(scan, select) === 'listbox'
}

/** An `<object>` that could not load shows what is in it. */
export function showsFallback(element: Element): boolean {
  if (!isHtml(element, 'object') || isFrame(element)) return false
  for (let node = firstChild(element); node; node = nextSibling(node)) {
    if (isElement(node) && clientRects(node).length > 0) return true
  }
  return false
}

/** The outermost editable element. */
function isHost(element: Element): boolean {
  const parent = flatParent(element)
  return !parent || !isEditable(parent)
}

/** Large enough to matter and with more to show than a rounding error. */
function isScroller(element: Element, style: Style): boolean {
  if (!scrollsContent(style.overflow)) return false
  const name = localName(element)
  if (name === 'html' || name === 'body' || name === 'textarea' || name === 'select') return false
  const height = clientHeight(element)
  const width = clientWidth(element)
  if (height < 30 || width < 30) return false
  return scrollHeight(element) - height > 16 || scrollWidth(element) - width > 16
}

/** A control a person cannot see but can work, through its label or by the keyboard. */
function isKept(scan: Scan, element: Element, style: Style, around: Surroundings): boolean {
  if (isToggle(element) || isFileInput(element)) {
    if (scan.labels.of(element).some((label) => isSeen(scan.page, label))) return true
    if (isFileInput(element)) return opensFromButton(scan, element)
  }
  if (style.display === 'none' || !style.shown || isDisabled(element)) return false
  if (!isFocusable(element) || (tabIndex(element) ?? 0) < 0) return false
  const clip = ownClip(scan, style, around)
  const box = scan.box(element)
  // Off the canvas, or in a box that is rolled up or scrolled out of: nobody gets there.
  if (!hasArea(clip)) return false
  const near = {
    left: box.left - 1,
    top: box.top - 1,
    right: box.right + 1,
    bottom: box.bottom + 1,
  }
  if (!hasArea(intersect(near, clip))) return false
  return scan.page.window.getComputedStyle(element).pointerEvents !== 'none'
}

function isFileInput(element: Element): boolean {
  return isInput(element) && element.type === 'file'
}

/** A hidden file input in a part of the page that is shown. */
function opensFromButton(scan: Scan, element: Element): boolean {
  for (let at = flatParent(element), steps = 0; at && steps < 3; at = flatParent(at), steps += 1) {
    if (isSeen(scan.page, at)) return true
  }
  return false
}

export function makeNode(state: Walk, element: Element, found: Found): ElementNode {
  const { scan } = state
  const { page } = scan
  const node = elementNode(found.role)
  const isCell = CELLS.has(found.role)
  const rawName = isCell ? labelOf(scan, element) : nameOf(scan, element)
  node.name = cut(clean(rawName), NAME_LIMIT)
  node.byPointer = found.byPointer
  node.named = node.name !== '' && SAYS_IT_ALL.has(found.role)
  if (found.role === 'iframe') {
    node.id = -page.idOf(element)
    node.address = addressOfFrame(element)
    return node
  }
  if (state.options.mode === 'text') {
    if (found.role === 'heading') node.states = statesOf(scan, element, found.role, NO_STATES)
    else if (TABLES.has(found.role)) node.states = tableRows(element)
    return node
  }
  node.value = cut(clean(shownValue(scan, element, found.role)), VALUE_LIMIT)
  // What a combobox made of boxes holds is its value.
  if (node.value && found.role === 'combobox') node.named = true
  node.states = statesOf(scan, element, found.role, {
    focused: state.focused,
    modals: state.covered.modals,
  })
  if (TABLES.has(found.role)) node.states.unshift(...tableRows(element))
  if (found.scrolls) node.states.unshift('scrolls')
  if (found.unseen) node.states.push('hidden')
  node.address = addressOf(scan, element, found.role)
  if (found.ref) node.id = page.idOf(element)
  return node
}

const NO_STATES = { focused: null, modals: new Set<Element>() }

function tableRows(element: Element): string[] {
  const declared = Number.parseInt(attribute(element, 'aria-rowcount') ?? '', 10)
  if (declared > 0) return [rows(declared)]
  if (!isHtml(element, 'table')) return []
  const table = element as HTMLTableElement
  const count = table.rows.length - (table.tHead?.rows.length ?? 0)
  return count > 0 ? [rows(count)] : []
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

/** The address of a frame's document, which the engine may know better. */
function addressOfFrame(element: Element): string {
  try {
    const inner = (element as HTMLIFrameElement).contentDocument
    if (inner) return wholeAddress(documentURL(inner))
  } catch {
    // A document of another origin does not say; its element says where it was sent.
  }
  return wholeAddress(attribute(element, isHtml(element, 'object') ? 'data' : 'src') ?? '')
}

/** Nothing below such a node belongs to the outline. */
export function hasNoContent(element: Element, node: ElementNode): boolean {
  switch (node.role) {
    case 'iframe':
    case 'canvas':
    case 'video':
    case 'audio':
    case 'embeddedobject':
      return true
    case 'textbox':
    case 'searchbox':
      return true
    case 'combobox':
      return isHtml(element, 'select') || isHtml(element, 'input')
    default:
      return isHtml(element, 'input') || isHtml(element, 'progress') || isHtml(element, 'meter')
  }
}

/** A label, legend or caption whose text is already the name of what it belongs to. */
export function isNameOnly(state: Walk, element: Element): boolean {
  const { scan } = state
  switch (localName(element)) {
    case 'label': {
      if (state.options.mode === 'text') return false
      const control = scan.labels.control(element)
      if (!control || roleOf(scan, control) === 'none') return false
      return isToggle(control) || isFileInput(control) || checkVisibility(control)
    }
    case 'legend':
    case 'caption': {
      const owner = flatParent(element)
      return !!owner && OWNERS.has(localName(owner)) && nameOf(scan, owner) !== ''
    }
    default:
      return false
  }
}

const OWNERS = new Set(['fieldset', 'table'])
