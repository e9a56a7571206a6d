/** `content`: all of a document, as HTML, as text or as its links. */

import {
  documentBody,
  documentElement,
  documentType,
  innerText,
  outerHTML,
  textContent,
} from '../dom.ts'
import { linksIn } from '../links.ts'
import { maskedHtml } from '../masked.ts'
import type { ContentRequest, Link } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { wellFormed } from '../text.ts'

export function content(page: Page, request: ContentRequest): { content: string | Link[] } {
  switch (request.what) {
    case 'html':
      return { content: html(page) }
    case 'text':
      return { content: text(page) }
    case 'links':
      return { content: linksIn(page, page.document) }
  }
}

function html(page: Page): string {
  const root = documentElement(page.document)
  const type = doctype(page.document)
  return root ? type + maskedHtml(page, root, outerHTML(root)) : type
}

function text(page: Page): string {
  const body = documentBody(page.document)
  if (body) return wellFormed(innerText(body))
  const root = documentElement(page.document)
  return wellFormed((root && textContent(root)) ?? '')
}

function doctype(document: Document): string {
  const type = documentType(document)
  return type ? `<!DOCTYPE ${wellFormed(type.name)}>` : ''
}
