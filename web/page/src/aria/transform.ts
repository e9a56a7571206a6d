/**
 * `text-transform`: letters as a style sheet shows them.
 */

import { attribute, closest } from '../dom.ts'
import type { Scan } from '../scan.ts'

export function textTransform(scan: Scan, element: Element): string {
  return scan.style(element).css?.textTransform ?? 'none'
}

/** The text of an element's own node, as it is drawn. */
export function transformed(text: string, transform: string, element: Element): string {
  if (transform === 'none') return text
  const speaker = closest(element, '[lang]')
  return applyTransform(text, transform, (speaker && attribute(speaker, 'lang')) || undefined)
}

export function applyTransform(text: string, transform: string, language?: string): string {
  switch (transform) {
    case 'uppercase':
      return inCase(text, 'toLocaleUpperCase', language)
    case 'lowercase':
      return inCase(text, 'toLocaleLowerCase', language)
    case 'capitalize':
      return text.replace(
        /(^|[^\p{L}\p{N}'’])(\p{L})/gu,
        (_, before, letter) => before + letter.toUpperCase(),
      )
    default:
      return text
  }
}

function inCase(
  text: string,
  how: 'toLocaleUpperCase' | 'toLocaleLowerCase',
  language: string | undefined,
): string {
  try {
    return text[how](language ?? 'en')
  } catch {
    // Whatever a page writes in `lang` may be no language.
    return text[how]('en')
  }
}
