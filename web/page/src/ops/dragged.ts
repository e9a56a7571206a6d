/** `dragged`: what drag and drop came of a press, once it has ended. */

import type { DragReply } from '../messages.ts'
import type { Page } from '../page-state.ts'

/** A drag that has not ended by then ends where we cannot see it. */
const LOST = 500

export async function dragged(page: Page): Promise<DragReply> {
  const drag = page.watch?.drag
  if (!drag?.began) return { began: false }
  const lost = new Promise<undefined>((resolve) => {
    page.window.setTimeout(() => resolve(undefined), LOST)
  })
  return { began: true, taken: await Promise.race([drag.ended, lost]) }
}
