/** `arm`: watches what comes of an event that is meant for whatever has the focus. */

import { documentElement } from '../dom.ts'
import type { Page } from '../page-state.ts'
import { arm as armWatch } from '../watch.ts'

export function arm(page: Page): Record<string, never> {
  const root = documentElement(page.document)
  if (root) armWatch(page, root, 'type')
  return {}
}
