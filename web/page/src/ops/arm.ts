/**
 * `arm`: watches what comes of an event that is meant for whatever has the focus. With `keep` a
 * watch that is there goes on: it was armed before a dialog stopped the page.
 */

import { documentElement } from '../dom.ts'
import type { Page } from '../page-state.ts'
import { arm as armWatch } from '../watch.ts'

export function arm(page: Page, { keep }: { keep?: boolean } = {}): Record<string, never> {
  if (keep && page.watch) return {}
  const root = documentElement(page.document)
  if (root) armWatch(page, root, 'type')
  return {}
}
