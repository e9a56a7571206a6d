/**
 * Work that is done when a page has loaded and is idle, so that nobody waits for it later.
 *
 * Most of it is practice (`practice.ts`), twice over. In a new process V8 compiles each function when
 * it is first called, and in each new document it learns anew what they are called with: 15 ms and
 * 3 ms of a first snapshot, whose work is 2.
 */

import { queryAll } from './dom.ts'
import type { Page } from './page-state.ts'

/** Milliseconds after the load, in which a snapshot that is going to be asked for often comes. */
const SOON = 10
/** So much after that time the idle moment may come: a frame. */
const LATE = 20
/** In larger documents even finding out what there is would be felt. */
const LARGE = 20_000

/** A piece of work, unless it is `needless` when its turn comes. */
export interface Chore {
  needless(): boolean
  run(): void
}

/** Does some work, a piece in each idle moment, once the page has loaded. */
export function whenIdle(page: Page, work: readonly Chore[]): void {
  const { window } = page
  const left = [...work]
  let due = 0
  const idle = () => {
    // A machine that comes to it late has other pages to work on.
    const busy = window.performance.now() - due > LATE
    // A frame nobody sees is not looked at.
    const seen = window.innerWidth > 1 && window.innerHeight > 1
    if (busy || !seen || queryAll(page.document, '*').length > LARGE) return
    while (left[0]?.needless()) left.shift()
    left.shift()?.run()
    due = window.performance.now()
    if (left.length > 0) window.requestIdleCallback(idle)
  }
  // Who asks at once should not find the page at its practice.
  const later = () => {
    due = window.performance.now() + SOON
    window.setTimeout(() => window.requestIdleCallback(idle), SOON)
  }
  window.addEventListener('load', later, { once: true })
}
