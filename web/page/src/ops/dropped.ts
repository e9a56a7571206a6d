/** `dropped`: whether what was dragged was let go over this document, and taken. */

import type { Page } from '../page-state.ts'

export function dropped(page: Page): { dropped: boolean } {
  return { dropped: page.watch?.dropped() ?? false }
}
