/** `measure`: sizes of the viewport and the page, in CSS pixels. */

import { documentElement, scrollHeight, scrollingElement, scrollWidth } from '../dom.ts'
import type { Measure } from '../messages.ts'
import type { Page } from '../page-state.ts'

export function measure(page: Page): Measure {
  const { window, document } = page
  const whole = scrollingElement(document) ?? documentElement(document)
  return {
    width: window.innerWidth,
    height: window.innerHeight,
    pageWidth: whole ? scrollWidth(whole) : window.innerWidth,
    pageHeight: whole ? scrollHeight(whole) : window.innerHeight,
    scrollX: window.scrollX,
    scrollY: window.scrollY,
  }
}
