/**
 * HTML without the passwords in it.
 *
 * Chrome writes a field's markup, not what was typed, but frameworks copy the one into the other, and
 * pages are sent with values. Works on the text Chrome wrote: a copy of the elements would run the
 * constructors of the page's own.
 */

import { nodeType, outerHTML, queryAll, type Root } from './dom.ts'
import { isSecret, SECRET_HINT, SECRET_NAME } from './fields.ts'
import type { Page } from './page-state.ts'
import { characters, wellFormed } from './text.ts'

/** An input's tag as Chrome writes it: every value between quotes, no quote inside. */
const INPUT = /<input((?:\s+[^\s"'=>/]+(?:="[^"]*")?)*)\s*\/?>/gi
const ATTRIBUTE = /\s+([^\s"'=>/]+)(?:="([^"]*)")?/g

export function maskedHtml(page: Page, root: Root, html: string): string {
  const known = new Set<string>()
  for (const input of queryAll(root, 'input')) {
    if (isSecret(page, input)) known.add(outerHTML(input))
  }
  // The root itself may be the field.
  if (nodeType(root) === 1 && isSecret(page, root as Element)) known.add(outerHTML(root as Element))
  const masked = html.replace(INPUT, (tag: string) =>
    known.has(tag) || saysSecret(tag) ? withoutValue(tag) : tag,
  )
  return wellFormed(masked)
}

/** `[8 characters]`: what is told of a secret. */
export function maskedLength(value: string): string {
  return `[${characters(value)} characters]`
}

/** Markup that is in no document, a template's, is judged by what it says. */
function saysSecret(tag: string): boolean {
  for (const [, name = '', value = ''] of tag.slice('<input'.length).matchAll(ATTRIBUTE)) {
    switch (name.toLowerCase()) {
      case 'type':
        if (value.toLowerCase() === 'password') return true
        break
      case 'autocomplete':
        if (SECRET_HINT.test(value)) return true
        break
      case 'name':
      case 'id':
        if (SECRET_NAME.test(value)) return true
    }
  }
  return false
}

function withoutValue(tag: string): string {
  return tag.replace(ATTRIBUTE, (whole: string, name: string, value?: string) =>
    name.toLowerCase() === 'value' && value ? ` value="${maskedLength(unescaped(value))}"` : whole,
  )
}

function unescaped(value: string): string {
  return value.replace(/&(?:amp|lt|gt|quot|nbsp);/g, '.')
}
