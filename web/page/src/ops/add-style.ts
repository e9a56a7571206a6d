/**
 * `addStyle`: gives this document another style sheet.
 *
 * Rules become an adopted sheet, which leaves no element and which no policy of the page forbids. An
 * address becomes a `<link>`, as a page would do it.
 */

import { adoptSheet, createElement, documentElement, documentHead } from '../dom.ts'
import { loaded } from '../loaded.ts'
import type { AddReply, AddStyleRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

export async function addStyle(page: Page, request: AddStyleRequest): Promise<AddReply> {
  const { document, window } = page
  if (request.content !== undefined) {
    const sheet = new window.CSSStyleSheet(request.base ? { baseURL: request.base } : {})
    sheet.replaceSync(request.content)
    adoptSheet(document, sheet)
    return { is: 'added', url: '' }
  }
  const place = documentHead(document) ?? documentElement(document)
  if (!place || !request.href) return { is: 'failed', url: '' }
  const link = createElement(document, 'link') as HTMLLinkElement
  link.rel = 'stylesheet'
  link.href = request.href
  return loaded(page, link, link.href, place, request.timeout)
}
