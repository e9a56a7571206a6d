/**
 * Waiting for the page to change, without polling it to death.
 *
 * A wait is woken by mutations, by events that change what is visible, and every 100 ms for what
 * makes no noise (media queries, a style sheet that arrives). Frames are raced with a timer: in a
 * hidden window `requestAnimationFrame` stands still.
 */

import { shadowRootsIn } from './dom.ts'
import type { Page } from './page-state.ts'

export interface Waiting {
  /** Resolves when it is worth looking again: true, or false once the wait is over. */
  change(soon?: boolean): Promise<boolean>
  readonly cancelled: boolean
  /** Takes down what listens; call it when done. */
  end(): void
}

const QUIET_POLL = 100
const STALLED_FRAME = 100

const EVENTS = [
  'animationend',
  'animationcancel',
  'transitionend',
  'transitioncancel',
  'scroll',
  'resize',
  'load',
  'error',
  'input',
  'change',
  'toggle',
  'slotchange',
]

export function startWaiting(page: Page, token: number, timeout: number): Waiting {
  const { window } = page
  const deadline = window.performance.now() + timeout
  let wake: (() => void) | undefined
  let cancelled = page.cancelled.delete(token)
  let started = false
  const noise = () => wake?.()
  const observer = new MutationObserver(noise)

  function start() {
    started = true
    observer.observe(page.document, EVERYTHING)
    for (const root of shadowRootsIn(page.document).slice(0, 500))
      observer.observe(root, EVERYTHING)
    for (const name of EVENTS) window.addEventListener(name, noise, CAPTURE)
  }

  page.waits.set(token, () => {
    cancelled = true
    wake?.()
  })

  return {
    get cancelled() {
      return cancelled
    },
    async change(soon = false) {
      if (!started) start()
      const left = deadline - window.performance.now()
      if (cancelled || left <= 0) return false
      if (!soon) {
        await new Promise<void>((resolve) => {
          const timer = window.setTimeout(resolve, Math.min(QUIET_POLL, left))
          wake = () => {
            window.clearTimeout(timer)
            resolve()
          }
        })
        wake = undefined
      }
      if (!cancelled) await nextFrame(page, STALLED_FRAME)
      return !cancelled && window.performance.now() < deadline
    },
    end() {
      page.waits.delete(token)
      if (!started) return
      observer.disconnect()
      for (const name of EVENTS) window.removeEventListener(name, noise, CAPTURE)
    },
  }
}

const CAPTURE = { capture: true, passive: true } as const

export const EVERYTHING: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
}

/** Resolves in the next frame, or after `stalled` ms where there are none. */
export function nextFrame(page: Page, stalled: number): Promise<void> {
  return new Promise((resolve) => {
    const frame = page.window.requestAnimationFrame(() => {
      page.window.clearTimeout(timer)
      resolve()
    })
    const timer = page.window.setTimeout(() => {
      page.window.cancelAnimationFrame(frame)
      resolve()
    }, stalled)
  })
}
