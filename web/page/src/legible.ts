/**
 * Whether text can be read where it stands: not of no size, not pushed out of its box, not of the
 * colour of its background.
 *
 * Asked once for each element with text of its own. Backgrounds are looked up only for text whose
 * colour is not the page's, and only where nothing can lie between: with an image, a positioned box
 * or a grid in between the text counts as readable.
 */

import { documentElement, flatParent } from './dom.ts'
import { clipsAll, type Scan } from './scan.ts'

export function isLegible(scan: Scan, element: Element, css: CSSStyleDeclaration): boolean {
  const { overflow } = scan.style(element)
  if (css.fontSize === '0px') return false
  const { clipPath, color } = css
  if (clipPath !== 'none' && clipsAll(clipPath)) return false
  // Pushed out is only what does not show again beside the box.
  if (overflow !== 'visible' && isPushedOut(css.textIndent)) return false
  if (color === scan.textColor && !isClear(color)) return true
  if (isClear(color)) return isPaintedThrough(scan, element)
  return color !== backgroundBehind(scan, element)
}

/** How pages put an image in the place of text. */
function isPushedOut(indent: string): boolean {
  const size = Math.abs(Number.parseFloat(indent))
  return size >= (indent.endsWith('%') ? 100 : 500)
}

function isClear(color: string): boolean {
  return /^rgba\(.*, 0\)$/.test(color)
}

/** Letters as windows to a background, or painted by other means than their colour. */
function isPaintedThrough(scan: Scan, element: Element): boolean {
  const own = scan.page.window.getComputedStyle(element)
  if (own.textShadow !== 'none' || !isClear(own.webkitTextFillColor)) return true
  for (let at: Element | null = element, steps = 0; at && steps < 5; steps += 1) {
    if (scan.page.window.getComputedStyle(at).backgroundClip.includes('text')) return true
    at = flatParent(at)
  }
  return false
}

/** The plain colour an element stands on; undefined where it may be something else. */
function backgroundBehind(scan: Scan, element: Element): string | undefined {
  for (let at: Element | null = element, steps = 0; at && steps < 100; steps += 1) {
    const style = scan.page.window.getComputedStyle(at)
    if (style.backgroundImage !== 'none') return undefined
    if (!isClear(style.backgroundColor)) return style.backgroundColor
    // Under a positioned box, one pulled up, or one in a grid, there may be somebody else's picture.
    if (style.position !== 'static' || style.marginTop.startsWith('-')) return undefined
    if (style.textShadow !== 'none' || style.display.includes('grid')) return undefined
    at = flatParent(at)
  }
  return canvasColor(scan)
}

/** What is behind everything: white, but for dark pages and for frames, which let through. */
function canvasColor(scan: Scan): string | undefined {
  const { window } = scan.page
  const root = documentElement(scan.document)
  if (!root || window.parent !== window) return undefined
  return window.getComputedStyle(root).colorScheme.includes('dark') ? undefined : WHITE
}

const WHITE = 'rgb(255, 255, 255)'
