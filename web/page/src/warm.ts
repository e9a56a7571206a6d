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
/** The second time over, calls are half as dear again; beyond that little is gained. */
export const PRACTISED = 2
/** In larger documents even finding out what there is would be felt. */
const LARGE = 20_000

/** Calls `run` once the page has loaded and is idle, so many times, unless it is `needless` by then. */
export function whenIdle(
  page: Page,
  times: number,
  needless: () => boolean,
  run: () => void,
): void {
  const { window } = page
  let due = 0
  let rounds = times
  const idle = () => {
    // A machine that comes to it late has other pages to work on.
    const busy = window.performance.now() - due > LATE
    // A frame nobody sees is not looked at.
    const seen = window.innerWidth > 1 && window.innerHeight > 1
    if (busy || needless() || !seen || queryAll(page.document, '*').length > LARGE) return
    run()
    rounds -= 1
    due = window.performance.now()
    if (rounds > 0) window.requestIdleCallback(idle)
  }
  // Who asks at once should not find the page at its practice.
  const later = () => {
    due = window.performance.now() + SOON
    window.setTimeout(() => window.requestIdleCallback(idle), SOON)
  }
  window.addEventListener('load', later, { once: true })
}
