/**
 * The session's clipboard, as far as it is in the page.
 *
 * All pages of one Chrome share its clipboard, whatever session they belong to. So what a page
 * copies is noted here, for its own session, and pasted by `ops/paste.ts`. Of `navigator.clipboard` the code in the page's own world tells (`own-world.ts`).
 */

import type { Copied } from './belongings.ts'
import type { Page } from './page-state.ts'

/** The first event of the other world, before any script of the page: how later ones are called. */
export const HELLO = 'btcp-clipboard'
/** Of a longer text the beginning is kept. */
const LONGEST = 1_000_000

/** Listens from a document's beginning, so that nobody of the page comes before us. */
export function hearCopies(page: Page): void {
  const { window } = page
  const first = { capture: true }
  window.addEventListener('copy', (event) => copied(page, event), first)
  window.addEventListener('cut', (event) => copied(page, event), first)
  window.addEventListener('keydown', (event) => pressed(page, event), first)
  const hello = (event: Event) => {
    window.addEventListener(String((event as CustomEvent).detail), (told) => {
      const [text, html] = JSON.parse(String((told as CustomEvent).detail))
      note(page, String(text), html === null ? undefined : String(html))
    })
  }
  window.addEventListener(HELLO, hello, { capture: true, once: true })
}

/** What was copied since this was last called. */
export function takeCopied(page: Page): Copied | undefined {
  const { copied } = page
  page.copied = undefined
  return copied
}

/** Whether the page prevents what the key does is known when all have heard of it. */
function pressed(page: Page, event: KeyboardEvent): void {
  if (event.code === 'KeyV' && event.isTrusted) page.pasteKey = event
}

function copied(page: Page, event: ClipboardEvent): void {
  const { window } = page
  if (!event.isTrusted) return
  const target = event.composedPath()[0]
  // Chrome copies no passwords either.
  if (target instanceof window.HTMLInputElement && isSecret(page, target)) return
  const selected = selection(page, target)
  // Behind every listener of the page, which may put something else in its place.
  const last = () => {
    if (!event.defaultPrevented) return note(page, selected.text, selected.html)
    const data = event.clipboardData
    if (!data?.types.length) return
    const html = data.types.includes('text/html') ? data.getData('text/html') : undefined
    note(page, data.getData('text/plain'), html)
  }
  window.addEventListener(event.type, last, { once: true })
  // A page that stops the event on its way keeps ours from the end; Chrome copies all the same.
  window.setTimeout(() => {
    window.removeEventListener(event.type, last)
    if (page.copied === before && !event.defaultPrevented) {
      note(page, selected.text, selected.html)
    }
  })
  const before = page.copied
}

function isSecret(page: Page, field: HTMLInputElement): boolean {
  return field.type === 'password' || page.secrets.has(field)
}

function selection(page: Page, target: EventTarget | undefined): { text: string; html?: string } {
  const { window, document } = page
  if (target instanceof window.HTMLInputElement || target instanceof window.HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, value } = target
    return { text: value.slice(selectionStart ?? 0, selectionEnd ?? 0) }
  }
  const selected = window.getSelection()
  if (!selected?.rangeCount) return { text: '' }
  const inert = document.implementation.createHTMLDocument('').createElement('div')
  inert.append(selected.getRangeAt(0).cloneContents())
  return { text: selected.toString(), html: inert.innerHTML }
}

function note(page: Page, text: string, html: string | undefined): void {
  if (!text && !html) return
  const fits = html !== undefined && html.length <= LONGEST
  page.copied = {
    text: text.slice(0, LONGEST),
    html: fits ? html : undefined,
    at: page.window.Date.now(),
  }
}
