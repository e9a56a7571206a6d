/**
 * The text inside an element, as its name has it.
 *
 * Words are joined where the page draws them in one run, and kept apart where something stands
 * between them: a block, a box in the line, a control, a part with a name of its own. A plain inline
 * element without attributes that matter is not there for Chrome: its children count as its parent's.
 */

import {
  attribute,
  attributeNames,
  checkVisibility,
  data,
  flatChildren,
  flatParent,
  hasAttribute,
  isElement,
  isHtml,
  isText,
  localName,
  namespaceURI,
  nextFlat,
  queryAll,
  SVG,
} from '../dom.ts'
import type { Scan } from '../scan.ts'
import { isActionOf } from './actions.ts'
import type { Piece } from './generated.ts'
import { alternative, type Naming } from './name.ts'
import { CONTROLS } from './role-tables.ts'
import { isSummary, roleOf } from './roles.ts'
import { textTransform, transformed } from './transform.ts'

/** Deeper than any honest label. */
const DEPTH = 100
/** Chrome reads no more elements and texts than this for one name. */
const MOST = 100

/** A text that grows child by child. */
interface Run {
  /** Whose text it is; a child that means nothing counts as it. */
  readonly item: Element
  text: string
  /** What was added last is no part of a line of text. */
  apart: boolean
  /** What was last added with text in it is a name of its own. */
  named: boolean
  /** A block has been passed since. */
  broken: boolean
  /** Nothing here is drawn, so nothing tells which words belong together. */
  undrawn: boolean
}

export function contentOf(scan: Scan, element: Element, naming: Naming, item = element): string {
  const undrawn = naming.hidden && !checkVisibility(element)
  const run: Run = { item, text: '', apart: false, named: false, broken: false, undrawn }
  addChildren(scan, element, naming, run, true)
  return run.text
}

function add(run: Run, text: string, apart: boolean, named: boolean): void {
  if (text && run.text && (run.apart || apart || run.named || named || run.broken)) {
    if (!/[ \t\n\r\f]$/.test(run.text) && !/^[ \t\n\r\f]/.test(text)) run.text += ' '
  }
  run.text += text
  run.apart = apart
  run.broken = false
  if (text) run.named = named
}

function addChildren(
  scan: Scan,
  element: Element,
  naming: Naming,
  run: Run,
  ownText: boolean,
): void {
  if (naming.depth > DEPTH) return
  naming.depth += 1
  const pieces = ownText && !run.undrawn ? scan.generated.pieces(element) : undefined
  if (pieces?.before) addPiece(naming, run, pieces.before)
  let transform: string | undefined
  const closed = isHtml(element, 'details') && !hasAttribute(element, 'open')
  const children = flatChildren(element)
  for (let node = nextFlat(children); node; node = nextFlat(children)) {
    if (naming.visited.size + naming.texts > MOST) break
    if (isText(node)) {
      if (!ownText || closed) continue
      naming.texts += 1
      const text = data(node)
      if (run.undrawn || !/\S/.test(text)) {
        add(run, text, run.undrawn, false)
      } else {
        transform ??= textTransform(scan, element)
        add(run, transformed(text, transform, element), false, false)
      }
    } else if (isElement(node)) {
      if (closed && !isSummary(node)) continue
      if (scan.owns.ownerOf(node)) continue
      addElement(scan, node, naming, run)
    }
  }
  let from: Element | null = null
  for (const owned of scan.owns.by(element)) {
    // It comes from another place, perhaps with its neighbour.
    const parent = flatParent(owned)
    run.broken ||= parent !== from
    from = parent
    addElement(scan, owned, naming, run)
  }
  if (pieces?.after) addPiece(naming, run, pieces.after)
  naming.depth -= 1
}

function addPiece(naming: Naming, run: Run, piece: Piece): void {
  add(run, piece.text, piece.apart, piece.alternative)
  if (piece.block) naming.blocks += 1
}

function addElement(scan: Scan, child: Element, naming: Naming, run: Run): void {
  if (isActionOf(scan, child, run.item)) return
  const name = localName(child)
  if (UNREAD.has(name)) {
    if (name === 'wbr') run.broken = true
    return
  }
  if (name === 'br') {
    add(run, '\n', false, false)
    return
  }
  if (namespaceURI(child) === SVG && UNDRAWN.has(name)) return
  const style = scan.style(child)
  const drawn = !run.undrawn && style.display !== 'none'
  if (!naming.hidden) {
    if (!drawn) return
    if (isBlock(style.display) && isLocked(scan, child)) return
    if (isLeftOut(child) || !style.shown) {
      addHidden(scan, child, naming, run, style.shown)
      if (isBlock(style.display)) run.broken = true
      return
    }
  }
  const apart = !drawn || style.display !== 'inline' || REPLACED.has(name)
  const role = roleOf(scan, child)
  const blocks = naming.blocks
  if (drawn && isBlock(style.display)) naming.blocks += 1
  if (role === 'none') {
    if (name === 'img') return
    add(run, contentOf(scan, child, naming, run.item), apart, false)
  } else if (!apart && role === 'generic' && !isKnown(scan, child, name)) {
    addChildren(scan, child, naming, run, true)
    return
  } else {
    if (name === 'svg' && isEmptyDrawing(scan, child)) return
    const text = alternative(scan, child, naming)
    const control = CONTROLS.has(role) && hasAttribute(child, 'role')
    add(run, text, apart || control, naming.apart)
  }
  if (!apart && naming.blocks > blocks) run.broken = true
}

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'wbr'])

/** Parts of drawings that are drawn elsewhere or not at all; a title is the name of what it is in. */
const UNDRAWN = new Set([
  'clipPath',
  'defs',
  'desc',
  'filter',
  'linearGradient',
  'marker',
  'mask',
  'metadata',
  'pattern',
  'radialGradient',
  'symbol',
  'title',
])

/** Boxes in a line of text, whatever their `display`. */
const REPLACED = new Set(['audio', 'canvas', 'embed', 'iframe', 'img', 'object', 'svg', 'video'])

function isBlock(display: string): boolean {
  return !display.startsWith('inline') && display !== 'contents' && display !== 'none'
}

/** `content-visibility: hidden`, which `hidden=until-found` means too; it holds for blocks only. */
function isLocked(scan: Scan, block: Element): boolean {
  return scan.style(block).css?.contentVisibility === 'hidden'
}

function isLeftOut(child: Element): boolean {
  const hidden = attribute(child, 'aria-hidden')
  return hidden !== null ? hidden.toLowerCase() === 'true' : hasAttribute(child, 'inert')
}

/** From what is hidden Chrome still takes what is made visible again, and what can have the focus. */
function addHidden(scan: Scan, hidden: Element, naming: Naming, run: Run, shown: boolean): void {
  if (naming.root) return
  if (!shown) {
    addChildren(scan, hidden, naming, run, false)
  } else if (!hasAttribute(hidden, 'inert')) {
    for (const inner of queryAll(hidden, 'a[href],button,input,select,textarea')) {
      add(run, alternative(scan, inner, naming), false, naming.apart)
    }
  }
}

/** Whether Chrome's tree has an inline box that means nothing by itself. */
function isKnown(scan: Scan, element: Element, name: string): boolean {
  if (NAMED_BOXES.has(name)) return true
  for (const own of attributeNames(element)) {
    if (own.startsWith('aria-') || KNOWN_BY.has(own)) return true
  }
  return scan.generated.pieces(element) !== undefined
}

const NAMED_BOXES = new Set(['abbr', 'figcaption', 'label', 'legend', 'rp', 'rt', 'ruby', 'use'])
const KNOWN_BY = new Set(['contenteditable', 'id', 'lang', 'onclick', 'role', 'tabindex', 'title'])

function isEmptyDrawing(scan: Scan, svg: Element): boolean {
  const children = flatChildren(svg)
  for (let node = nextFlat(children); node; node = nextFlat(children)) {
    if (isElement(node)) return false
  }
  return !isKnown(scan, svg, 'svg')
}
