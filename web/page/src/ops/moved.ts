/**
 * `moved`: whether the mouse has reached this document since it was armed.
 *
 * Chrome routes the mouse to a frame of another process by what it last painted; right after a
 * scroll or a load that may still be elsewhere.
 */

import type { Page } from '../page-state.ts'
import { nextFrame } from '../waiting.ts'

const STALLED_FRAME = 50

export async function moved(page: Page): Promise<{ moved: boolean }> {
  if (!page.watch?.moved()) await nextFrame(page, STALLED_FRAME)
  return { moved: page.watch?.moved() ?? true }
}
