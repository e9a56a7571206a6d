/**
 * What one look at a page has found out: styles, boxes, roles, names, labels.
 *
 * A scan lives for one task, in which nothing can change, so everything is computed once. Make a
 * new one after every wait.
 */

import { createLabels, type Labels } from './aria/labels.ts'
import { baseURI, boundingBox, documentURL, queryAll, shadowRootsIn } from './dom.ts'
import type { Page } from './page-state.ts'

/** The computed style of an element, as far as the outline needs it. */
export interface Style {
  /** `inline`, `block`, `none`, … */
  display: string
  /** Its own `visibility` is `visible`. */
  shown: boolean
  transparent: boolean
  position: string
  /** `visible` or another `overflow`, both axes as CSS prints them. */
  overflow: string
  pointer: boolean
}

export interface Scan {
  readonly page: Page
  readonly document: Document
  /** The document's address, and what relative ones start from. */
  readonly url: string
  readonly base: string
  /** Whether `aria-disabled` occurs at all; it reaches down, so asking costs a walk up. */
  readonly ariaDisabled: boolean
  /** Every open shadow root of the document. */
  shadowRoots(): ShadowRoot[]
  style(element: Element): Style
  box(element: Element): DOMRect
  readonly labels: Labels
  readonly roles: Map<Element, string>
  readonly names: Map<Element, string>
  /** Controls whose labels are being read, against cycles. */
  readonly naming: Set<Element>
}

export function createScan(page: Page): Scan {
  const styles = new Map<Element, Style>()
  const boxes = new Map<Element, DOMRect>()
  let roots: ShadowRoot[] | undefined
  let ariaDisabled: boolean | undefined
  const { window, document } = page
  return {
    page,
    document,
    url: documentURL(document),
    base: baseURI(document),
    get ariaDisabled() {
      ariaDisabled ??= [document, ...this.shadowRoots()].some(
        (root) => queryAll(root, '[aria-disabled=true]').length > 0,
      )
      return ariaDisabled
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
    box(element) {
      let box = boxes.get(element)
      if (!box) {
        box = boundingBox(element)
        boxes.set(element, box)
      }
      return box
    },
    labels: createLabels(document),
    roles: new Map(),
    names: new Map(),
    naming: new Set(),
  }
}

function readStyle(window: Window, element: Element): Style {
  const style = window.getComputedStyle(element)
  const display = style.display
  if (display === 'none') return NOT_RENDERED
  return {
    display,
    shown: style.visibility === 'visible',
    transparent: style.opacity === '0',
    position: style.position,
    overflow: style.overflow,
    pointer: style.cursor === 'pointer',
  }
}

const NOT_RENDERED: Style = {
  display: 'none',
  shown: false,
  transparent: false,
  position: 'static',
  overflow: 'visible',
  pointer: false,
}

/** Whether a box of this display sits in a line of text. */
export function isInline(display: string): boolean {
  return display === 'inline' || display === 'contents' || /^ruby|math$/.test(display)
}
