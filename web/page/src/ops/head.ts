/** `head`: the document by itself, as it is now or as it is once it has loaded. */

import { documentTitle, documentURL, readyState } from '../dom.ts'
import type { Head, HeadRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { wellFormed } from '../text.ts'

export function head(page: Page, request: HeadRequest): Head | Promise<Head> {
  if (!request.loaded || readyState(page.document) === 'complete') return read(page)
  // Comes right behind the load event: what its listeners do to the title is done by then.
  return new Promise((resolve) => {
    page.window.addEventListener('pageshow', () => resolve(read(page)), { once: true })
  })
}

function read(page: Page): Head {
  const [navigation] = page.window.performance.getEntriesByType('navigation')
  const status = (navigation as { responseStatus?: number } | undefined)?.responseStatus ?? 0
  return {
    title: wellFormed(documentTitle(page.document)),
    url: wellFormed(documentURL(page.document)),
    status,
  }
}
