/**
 * The guard of a press: if something else has slid under the mouse since the hit test, the press
 * is kept from the page, and whoever sent it tries again.
 *
 * The decision is made once, at the first event; the rest of the gesture follows it.
 */

import type { Page } from './page-state.ts'
import { receiverOf } from './receiver.ts'

export interface Guard {
  /** Resolves once the press has arrived: whether it was kept from the page. */
  readonly decided: Promise<boolean>
  end(): void
}

const GESTURE = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
]

export function guardPress(page: Page, accepts: (receiver: Element) => boolean): Guard {
  let blocked: boolean | undefined
  let decide: (blocked: boolean) => void = () => {}
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve
  })
  const judge = (event: Event) => {
    if (!event.isTrusted) return
    if (blocked === undefined) {
      const receiver = receiverOf(event)
      blocked = receiver !== undefined && !accepts(receiver)
      decide(blocked)
    }
    if (!blocked) return
    event.stopImmediatePropagation()
    event.preventDefault()
  }
  for (const name of GESTURE) page.window.addEventListener(name, judge, OPTIONS)
  return {
    decided,
    end() {
      decide(false)
      for (const name of GESTURE) page.window.removeEventListener(name, judge, OPTIONS)
    },
  }
}

const OPTIONS = { capture: true, passive: false } as const
