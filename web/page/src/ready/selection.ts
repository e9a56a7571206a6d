/**
 * Waiting until the page has heard of a new selection.
 *
 * Editors with a model of their own hear of it by `selectionchange`, a task later; a key is an input
 * event, which Chrome puts before that task, and would be applied to the old selection. A busy machine
 * makes the gap longer than any frame, so the event itself is waited for.
 */

import type { Page } from '../page-state.ts'
import { nextFrame } from '../waiting.ts'

/** For an event that does not come, because something else keeps the page from it. */
const LIMIT = 1000
const STALLED_FRAME = 50

/** What is selected, to be compared with what was. */
export type Selected = readonly unknown[]

export function selected(page: Page): Selected {
  const selection = page.window.getSelection()
  if (!selection) return []
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  return [anchorNode, anchorOffset, focusNode, focusOffset]
}

/** Resolves once the page has been told of what this very task has selected since `before`. */
export async function toldOfSelection(page: Page, before: Selected): Promise<void> {
  const isNew = selected(page).some((part, index) => part !== before[index])
  if (isNew) await nextSelectionChange(page)
  // Some editors look at the selection in the frame after the event.
  await nextFrame(page, STALLED_FRAME)
}

function nextSelectionChange({ window }: Page): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer)
      window.removeEventListener('selectionchange', done, true)
      resolve()
    }
    const timer = window.setTimeout(done, LIMIT)
    window.addEventListener('selectionchange', done, true)
  })
}
