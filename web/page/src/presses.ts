/**
 * Whether presses reach this document at all.
 *
 * Counted from the document's beginning, before any listener of the page, which could keep an event
 * from whoever listens later. Where we came later than the page, nobody can say.
 */

export interface Presses {
  /** From now on: whether one may have come. */
  since(): () => boolean
}

const FIRST = { capture: true, passive: true } as const

export function createPresses(window: Window): Presses {
  let count = 0
  const heard = () => {
    count += 1
  }
  const hear = () => window.addEventListener('pointerdown', heard, FIRST)
  const { readyState, documentElement } = window.document
  const surely = readyState === 'loading' && !documentElement?.firstChild
  hear()
  return {
    since() {
      // A page that writes itself anew takes all listeners away.
      hear()
      const before = count
      return () => !surely || count > before
    },
  }
}
