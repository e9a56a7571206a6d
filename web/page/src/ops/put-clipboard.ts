/** `putClipboard`: fills Chrome's clipboard; the page hears nothing of it. */

import type { PutClipboardRequest } from '../belongings.ts'
import type { Page } from '../page-state.ts'

export function putClipboard(page: Page, request: PutClipboardRequest): boolean {
  page.putting = request
  try {
    return page.document.execCommand('copy')
  } finally {
    page.putting = undefined
  }
}
