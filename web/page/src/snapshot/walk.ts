/**
 * The walk over what is rendered, building the outline.
 *
 * One pass without recursion, through open shadow roots and slots. What is visible is decided on
 * the way down from clips and styles, so that no element is measured twice. What a node means is
 * `classify.ts`; what becomes of it at the end is `outline.ts`.
 */

import { isPartOfNames } from '../aria/name.ts'
import { WIDGETS } from '../aria/role-tables.ts'
import { isSummary, roleOf } from '../aria/roles.ts'
import {
  attribute,
  documentBody,
  documentElement,
  flatChildren,
  flatParent,
  focusedElement,
  hasAttribute,
  isPlain,
  localName,
  nextFlat,
  nodeType,
  queryAll,
} from '../dom.ts'
import { fieldText, isSelect } from '../fields.ts'
import type { Mode } from '../messages.ts'
import type { Scan, Style } from '../scan.ts'
import {
  type Clip,
  canvas,
  clipsContent,
  hasArea,
  intersect,
  isEmptyBox,
  isPositioned,
  isRootScroller,
  scrollsContent,
  viewport,
} from '../visibility.ts'
import { classify, hasNoContent, isNameOnly, makeNode, showsFallback } from './classify.ts'
import { type Covered, countControls, findCovered } from './covered.ts'
import { noticeHost } from './hosts.ts'
import { addAreas } from './image-map.ts'
import { listOpeners } from './openers.ts'
import { type ElementNode, elementNode, finish, type OutlineNode } from './outline.ts'
import { countRest, isTooMuch, type Siblings } from './rest.ts'
import { addText, flush, isClosedDetails, type TextLook } from './text-run.ts'

/** The outline is built no deeper than this; what is below moves up. */
const LEVELS = 24

export interface WalkOptions {
  mode: Mode
  includeHidden: boolean
  maxChars: number
  /** How many elements are looked at; all unless it is said. */
  most?: number
}

export interface Outline {
  nodes: OutlineNode[]
  /** About how long it is. */
  chars: number
}

/** What is true around an element, handed down. */
export interface Surroundings {
  /** What lets in-flow content through, and what lets absolutely positioned content through. */
  clip: Clip
  absoluteClip: Clip
  /** Inside something with `opacity: 0`. */
  transparent: boolean
  /** The last box that was measured can be seen; what flows in it is not measured again. */
  placed: boolean
  /** `aria-hidden`: only what can be acted on counts. */
  ariaHidden: boolean
  /** Inside something whose name says it all, or a label: text is not printed again. */
  quiet: boolean
  /** Not rendered at all; only with `includeHidden`. */
  hidden: boolean
  /** Directly in `<details>` that are closed: only their summary shows. */
  closed: boolean
  depth: number
}

/** Whether an element can be seen. */
export interface Sight {
  /** What is in it can, as far as the boxes around tell. Free. */
  content: boolean
  /** Its own box can. Measured when asked: dear, and most boxes have no meaning. */
  box: () => boolean
}

/** One element on the way down. */
interface Level extends Siblings {
  inner: Surroundings
  /** Its own text can be seen. */
  visible: boolean
  /** Ends a line of text before and after. */
  block: boolean
  /** Receives what is found below. */
  into: ElementNode
  /** The node to finish when the walk comes back up, and where it then goes. */
  own: ElementNode | undefined
  parent: ElementNode | undefined
  /** What belongs to it by `aria-owns`, after its own children. */
  owned: readonly Element[]
  ownedAt: number
  /** How its own text is set, once there is some. */
  look: TextLook | undefined
}

/** State of one walk. */
export interface Walk {
  scan: Scan
  options: WalkOptions
  focused: Element | null
  covered: Covered
  hasFiles: boolean
  /** Text of the current line, not yet in the outline. */
  run: string
  /** Where that text begins, and how much of it was too long to take. */
  runSource: Element | undefined
  runMore: number
  chars: number
  visited: number
  behind: number
  /** The element whose text was asked for by itself. */
  whole: Element | undefined
  /** The elements around the one to begin with, until it is reached. */
  before: Set<Element> | undefined
}

export function walk(
  scan: Scan,
  root: Element | undefined,
  from: Element | undefined,
  options: WalkOptions,
): Outline {
  const top = elementNode('page')
  const start = root ?? documentElement(scan.document)
  const focused = focusedElement(scan.document)
  const state: Walk = {
    scan,
    options,
    focused: focused === documentBody(scan.document) ? null : focused,
    covered: options.includeHidden
      ? { modals: new Set(), parts: new Set(), by: '' }
      : findCovered(scan),
    hasFiles: queryAll(scan.document, 'input[type=file]').length > 0,
    run: '',
    runSource: undefined,
    runMore: 0,
    chars: 0,
    visited: 0,
    behind: 0,
    whole: from === root ? from : undefined,
    before: from && from !== root ? ancestors(from) : undefined,
  }
  // What was asked for is shown, also from behind a dialog.
  if (root) state.covered.parts.clear()
  if (!start) return { nodes: [], chars: 0 }
  const stack: Level[] = []
  const most = options.most ?? Number.POSITIVE_INFINITY
  enter(state, start, surroundings(scan), top, stack)
  while (stack.length > 0) step(state, stack, most)
  flush(state, top)
  if (state.behind > 0) {
    const noun = state.behind === 1 ? 'control' : 'controls'
    const by = state.covered.by ? ` behind ${state.covered.by}` : ''
    top.children.push({ kind: 'fold', text: `… ${state.behind} more ${noun}${by}` })
  }
  return { nodes: top.children, chars: state.chars }
}

/** Takes in the next child of the innermost element that was entered, or leaves it. */
function step(state: Walk, stack: Level[], most: number): void {
  const level = stack[stack.length - 1]!
  const node = state.visited < most ? nextFlat(level.children) : null
  if (!node) {
    const owned = level.owned[level.ownedAt++]
    if (owned) {
      enter(state, owned, elsewhere(state.scan, owned, level.inner), level.into, stack)
      return
    }
    leave(state, level)
    stack.pop()
    return
  }
  switch (nodeType(node)) {
    case 1: {
      const element = node as Element
      if (state.before && !reaches(state, element)) return
      if (state.scan.owns.ownerOf(element)) return
      if (!isTooMuch(state, level, element)) {
        enter(state, element, level.inner, level.into, stack)
        return
      }
      flush(state, level.into)
      level.into.children.push(countRest(state, level, element))
      return
    }
    case 3:
    case 4:
      if (!state.before) addText(state, level, node as Text)
  }
}

/** What is true for an element that is owned by this one but stands somewhere else. */
function elsewhere(scan: Scan, owned: Element, inner: Surroundings): Surroundings {
  const parent = flatParent(owned)
  const closed = !!parent && isClosedDetails(parent)
  return { ...surroundings(scan), quiet: inner.quiet, depth: inner.depth, closed }
}

function surroundings(scan: Scan): Surroundings {
  const clip = canvas(scan.page.window)
  return {
    clip,
    absoluteClip: clip,
    transparent: false,
    placed: true,
    ariaHidden: false,
    quiet: false,
    hidden: false,
    closed: false,
    depth: 0,
  }
}

/** The elements around one, itself included. */
function ancestors(element: Element): Set<Element> {
  const found = new Set<Element>()
  for (let at: Element | null = element; at; at = flatParent(at)) found.add(at)
  return found
}

/** Whether an element is the one to begin with or around it. */
function reaches(state: Walk, element: Element): boolean {
  if (!state.before!.has(element)) return false
  if (state.before!.values().next().value === element) state.before = undefined
  return true
}

/** Elements that never show anything of their own. */
const SILENT = new Set([
  'script',
  'style',
  'template',
  'link',
  'meta',
  'head',
  'title',
  'base',
  'noscript',
  'param',
  'source',
  'track',
  'wbr',
  'defs',
  'clipPath',
  'mask',
])

function enter(
  state: Walk,
  element: Element,
  around: Surroundings,
  into: ElementNode,
  stack: Level[],
): void {
  state.visited += 1
  const name = localName(element)
  if (SILENT.has(name)) return
  if (name === 'br') {
    state.run += ' '
    return
  }
  const { scan, options } = state
  if (state.covered.parts.has(element)) {
    state.behind += countControls(scan, element)
    return
  }
  const plain = isPlain(element)
  if (!plain && !options.includeHidden && hasAttribute(element, 'inert')) {
    foldInert(state, element, into)
    return
  }
  const style = scan.style(element)
  noticeHost(scan, element, name, style)
  const unrendered = style.display === 'none' || isClosed(element, plain, around)
  if (unrendered && !options.includeHidden) {
    listOpeners(state, element, around, into)
    return
  }
  const inner = within(scan, element, style, around)
  if (name === 'details') inner.closed = isClosedDetails(element)
  if (!plain && !around.ariaHidden && isAriaHidden(element)) inner.ariaHidden = true
  if (unrendered) inner.hidden = true
  const shown = style.shown && !inner.transparent && !inner.hidden
  const sight: Sight = {
    content: shown && inner.placed,
    box: () => shown && isPlaced(scan, element, style, around),
  }
  const found = classify(state, element, style, around, sight)
  // Links beside each other are apart to the eye, if only by colour.
  if (options.mode === 'text' && state.run && WIDGETS.has(roleOf(scan, element))) state.run += ' '
  const block = !style.inline && style.display !== 'none'
  const level: Level = {
    element,
    children: flatChildren(element),
    inner,
    visible: sight.content,
    block,
    into,
    own: undefined,
    parent: undefined,
    owned: scan.owns.by(element),
    ownedAt: 0,
    look: undefined,
    kind: '',
    alike: 0,
    shown: undefined,
    folds: 0,
  }
  if (block) flush(state, into)
  if (found && (around.depth < LEVELS || found.ref)) {
    flush(state, into)
    const node = makeNode(state, element, found)
    node.source = element
    state.chars += lengthOf(node)
    inner.depth += 1
    if (node.named) inner.quiet = true
    if (hasNoContent(element, node)) {
      into.children.push(...finish(node))
      return
    }
    if (around.depth < LEVELS) {
      level.own = node
      level.parent = into
      level.into = node
    } else {
      into.children.push(node)
    }
  } else if (isNameOnly(state, element)) {
    inner.quiet = true
  } else if (around.quiet && !isPartOfNames(scan, element)) {
    // Chrome leaves it out of the name around it: said nowhere else, its text would be lost.
    inner.quiet = false
  }
  addInside(state, level, element, name)
  if (isOpaque(name, element)) leave(state, level)
  else stack.push(level)
}

/** About how long its line is; a cell is only a part of one. */
function lengthOf(node: ElementNode): number {
  if (/^(cell|gridcell|columnheader|rowheader)$/.test(node.role)) return 5
  return node.role.length + node.name.length + node.value.length + 12
}

/** What an element shows that is no child of it. */
function addInside(state: Walk, level: Level, element: Element, name: string): void {
  if (name === 'img' && hasAttribute(element, 'usemap')) addAreas(state, element, level.into)
  if (name === 'select' && isClosedSelect(element)) addChoice(state, level, element)
}

/** Fallback content and shapes without text are not read. */
function isOpaque(name: string, element: Element): boolean {
  switch (name) {
    case 'canvas':
    case 'video':
    case 'audio':
    case 'iframe':
    case 'textarea':
    case 'input':
      return true
    case 'object':
      return !showsFallback(element)
    case 'select':
      return isClosedSelect(element)
    case 'svg':
      return queryAll(element, 'text,a,[role],[tabindex],[onclick],foreignObject').length === 0
    default:
      return false
  }
}

/** A select that shows only what is chosen. */
function isClosedSelect(element: Element): element is HTMLSelectElement {
  return isSelect(element) && !element.multiple && element.size <= 1
}

/** Without a line of its own a closed select reads as what it shows. */
function addChoice(state: Walk, level: Level, select: HTMLSelectElement): void {
  const seen = level.visible || state.options.includeHidden
  if (!level.own && seen && !level.inner.quiet) state.run += ` ${fieldText(select)} `
}

function leave(state: Walk, level: Level): void {
  if (level.block || level.own) flush(state, level.into)
  if (level.own && level.parent) level.parent.children.push(...finish(level.own))
}

/** Closed `<details>` and `hidden=until-found` keep boxes for what they hide. */
function isClosed(element: Element, plain: boolean, around: Surroundings): boolean {
  if (!plain && hasAttribute(element, 'hidden')) {
    return attribute(element, 'hidden')?.toLowerCase() === 'until-found'
  }
  return around.closed && !isSummary(element)
}

/** What is true inside an element. */
function within(scan: Scan, element: Element, style: Style, around: Surroundings): Surroundings {
  const inner: Surroundings = { ...around }
  inner.closed = false
  if (style.transparent) inner.transparent = true
  if (style.skipped) inner.hidden = true
  if (style.display === 'contents') return inner
  const own = ownClip(scan, style, around)
  inner.clip = own
  const clips = style.overflow !== 'visible' && !style.inline && !isRootScroller(element)
  if (clips) {
    if (clipsContent(style.overflow)) inner.clip = intersect(own, scan.box(element))
    else if (scrollsContent(style.overflow) && hasArea(intersect(own, scan.box(element)))) {
      inner.clip = canvasOfScroller
    }
  }
  if (isPositioned(style)) inner.absoluteClip = inner.clip
  // In the flow an element is where its parent is; measured is only what leaves it, what hides
  // parts of itself, and blocks in a box that does, which may be slides pushed out of view.
  const hidesParts = around.clip.right !== Number.POSITIVE_INFINITY
  if (isPositioned(style) || clips || (hidesParts && !style.inline)) {
    inner.placed = isPlaced(scan, element, style, around)
  }
  return inner
}

const canvasOfScroller: Clip = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
}

function isAriaHidden(element: Element): boolean {
  return attribute(element, 'aria-hidden') === 'true'
}

/** What lets an element itself through, by how it is positioned. */
export function ownClip(scan: Scan, style: Style, around: Surroundings): Clip {
  switch (style.position) {
    case 'fixed':
      return viewport(scan.page.window)
    case 'absolute':
      return around.absoluteClip
    default:
      return around.clip
  }
}

/** Whether its box has a size and is where it can be seen. */
function isPlaced(scan: Scan, element: Element, style: Style, around: Surroundings): boolean {
  if (style.display === 'contents') return around.placed
  const box = scan.box(element)
  if (isEmptyBox(box)) return false
  return hasArea(intersect(box, ownClip(scan, style, around))) || isThin(box, around)
}

/** A line or a rule may be a pixel high and still be seen. */
function isThin(box: DOMRect, around: Surroundings): boolean {
  return (box.width > 8 || box.height > 8) && around.clip.left === Number.NEGATIVE_INFINITY
}

function foldInert(state: Walk, element: Element, into: ElementNode): void {
  const count = countControls(state.scan, element)
  if (count === 0) return
  if (state.covered.by) {
    state.behind += count
    return
  }
  flush(state, into)
  const noun = count === 1 ? 'control' : 'controls'
  into.children.push({ kind: 'fold', text: `… ${count} more ${noun}` })
}
