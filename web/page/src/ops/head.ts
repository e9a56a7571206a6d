/** `head`: the document by itself. */

import { documentTitle, documentURL } from '../dom.ts'
import type { Head } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { wellFormed } from '../text.ts'

export function head(page: Page): Head {
  const [navigation] = page.window.performance.getEntriesByType('navigation')
  const status = (navigation as { responseStatus?: number } | undefined)?.responseStatus ?? 0
  return {
    title: wellFormed(documentTitle(page.document)),
    url: wellFormed(documentURL(page.document)),
    status,
  }
}
