/** `pressed`: waits for a press to arrive and tells whether it was kept from the page. */

import { isFrame } from '../dom.ts'
import type { Page } from '../page-state.ts'

/** A press that has not arrived by then went where we cannot see it. */
const LOST = 300

export async function pressed(page: Page): Promise<{ blocked: boolean }> {
  const { watch } = page
  if (!watch?.guard || isFrame(watch.element)) return { blocked: false }
  const lost = new Promise<boolean>((resolve) => {
    page.window.setTimeout(() => resolve(false), LOST)
  })
  return { blocked: await Promise.race([watch.guard.decided, lost]) }
}
