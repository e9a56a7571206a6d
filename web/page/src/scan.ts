/**
 * What one look at a page has found out: styles, boxes, roles, names, labels.
 *
 * A scan lives for one task, in which nothing can change, so everything is computed once. Make a
 * new one after every wait.
 */

import { type Actions, createActions } from './aria/actions.ts'
import { createGenerated, type Generated } from './aria/generated.ts'
import { mayDisable } from './aria/internals.ts'
import { createLabels, type Labels } from './aria/labels.ts'
import { createOwns, type Owns } from './aria/owns.ts'
import { baseURI, boundingBox, documentBody, documentURL, queryAll, shadowRootsIn } from './dom.ts'
import type { Page } from './page-state.ts'

/** The computed style of an element, as far as the outline needs it. */
export interface Style {
  /** `inline`, `block`, `none`, … */
  display: string
  /** Its box sits in a line of text. */
  inline: boolean
  /** Its own `visibility` is `visible`. */
  shown: boolean
  /** By `opacity`, or because a `clip-path` leaves nothing of it. */
  transparent: boolean
  /** Its content is not drawn, though it has a box: `content-visibility: hidden`. */
  skipped: boolean
  position: string
  /** `visible` or another `overflow`, both axes as CSS prints them. */
  overflow: string
  /** The mouse pointer is a hand there; undefined as long as nobody asked. */
  pointer: boolean | undefined
  /** All of it, for what few ask for; none if it is not rendered. */
  css?: CSSStyleDeclaration
}

export interface Scan {
  readonly page: Page
  readonly document: Document
  /** The document's address, and what relative ones start from. */
  readonly url: string
  readonly base: string
  /** Whether `aria-disabled` occurs at all; it reaches down, so asking costs a walk up. */
  readonly ariaDisabled: boolean
  /** Whether anything is disabled by markup; asking an element costs a walk up too. */
  readonly disabled: boolean
  /** The colour most text is set in. */
  readonly textColor: string
  /** Every shadow root of the document that we know of. */
  shadowRoots(): ShadowRoot[]
  style(element: Element): Style
  /** Whether the mouse pointer turns into a hand over it, or stays one. */
  pointer(element: Element): boolean
  box(element: Element): DOMRect
  readonly labels: Labels
  /** Content that style sheets add. */
  readonly generated: Generated
  /** Which items an element is an action of, by `aria-actions`. */
  readonly actions: Actions
  /** Who owns whom by `aria-owns`. */
  readonly owns: Owns
  readonly roles: Map<Element, string>
  readonly names: Map<Element, string>
}

export function createScan(page: Page): Scan {
  const styles = new Map<Element, Style>()
  const boxes = new Map<Element, DOMRect>()
  let roots: ShadowRoot[] | undefined
  let ariaDisabled: boolean | undefined
  let disabled: boolean | undefined
  let textColor: string | undefined
  let actions: Actions | undefined
  let owns: Owns | undefined
  let generated: Generated | undefined
  const { window, document } = page
  return {
    page,
    document,
    url: documentURL(document),
    base: baseURI(document),
    get ariaDisabled() {
      ariaDisabled ??=
        mayDisable() ||
        [document, ...this.shadowRoots()].some(
          (root) => queryAll(root, '[aria-disabled=true]').length > 0,
        )
      return ariaDisabled
    },
    get disabled() {
      disabled ??= [document, ...this.shadowRoots()].some(
        (root) => queryAll(root, ':disabled').length > 0,
      )
      return disabled
    },
    get textColor() {
      if (textColor === undefined) {
        const body = documentBody(document)
        textColor = body ? window.getComputedStyle(body).color : ''
      }
      return textColor
    },
    shadowRoots() {
      roots ??= shadowRootsIn(document)
      return roots
    },
    style(element) {
      let style = styles.get(element)
      if (!style) {
        style = readStyle(window, element)
        styles.set(element, style)
      }
      return style
    },
    pointer(element) {
      const style = this.style(element)
      style.pointer ??= style.css?.cursor === 'pointer'
      return style.pointer
    },
    box(element) {
      let box = boxes.get(element)
      if (!box) {
        box = boundingBox(element)
        boxes.set(element, box)
      }
      return box
    },
    labels: createLabels(),
    get generated() {
      generated ??= createGenerated(window, () => [document, ...this.shadowRoots()])
      return generated
    },
    get actions() {
      actions ??= createActions([document, ...this.shadowRoots()])
      return actions
    },
    get owns() {
      owns ??= createOwns([document, ...this.shadowRoots()])
      return owns
    },
    roles: new Map(),
    names: new Map(),
  }
}

function readStyle(window: Window, element: Element): Style {
  const style = window.getComputedStyle(element)
  const display = style.display
  if (display === 'none') return NOT_RENDERED
  // Each property has its price. What is in a line has no place and no clip of its own.
  const plain = display === 'inline'
  const inline = plain || isInline(display)
  const position = plain ? 'static' : style.position
  const { opacity } = style
  return {
    display,
    inline,
    shown: style.visibility === 'visible',
    transparent: (opacity !== '1' && Number(opacity) < FAINT) || isClippedAway(style, position),
    skipped: !inline && style.contentVisibility === 'hidden',
    position,
    overflow: plain ? 'visible' : style.overflow,
    pointer: undefined,
    css: style,
  }
}

/** Nobody sees what is fainter. */
const FAINT = 0.02

/** Read only off the flow, where pages put what only screen readers should find. */
function isClippedAway(style: CSSStyleDeclaration, position: string): boolean {
  return position !== 'static' && style.clipPath !== 'none' && clipsAll(style.clipPath)
}

/** Whether a `clip-path` leaves nothing: `inset(50%)`, `circle(0)`, a polygon of one point. */
export function clipsAll(path: string): boolean {
  const inset = /^inset\(([^)]*)\)/.exec(path)?.[1]
  if (inset !== undefined) {
    const sides = inset.split(' round ')[0]!.trim().split(/\s+/)
    const [top = '0', right = top, bottom = top, left = right] = sides
    return isWhole(top, bottom) || isWhole(left, right)
  }
  return (
    /^(circle|ellipse)\(0(px|%)?[ )]/.test(path) || /^polygon\((\S+ [^\s,]+)(, \1)*\)$/.test(path)
  )
}

function isWhole(a: string, b: string): boolean {
  const share = (side: string) => (side.endsWith('%') ? Number.parseFloat(side) : 0)
  return share(a) + share(b) >= 100 || Number.parseFloat(a) > 5000 || Number.parseFloat(b) > 5000
}

const NOT_RENDERED: Style = {
  display: 'none',
  inline: false,
  shown: false,
  transparent: false,
  skipped: false,
  position: 'static',
  overflow: 'visible',
  pointer: false,
}

/** Whether a box of this display sits in a line of text. */
export function isInline(display: string): boolean {
  if (display === 'block') return false
  return display === 'inline' || display === 'contents' || /^ruby|math$/.test(display)
}
