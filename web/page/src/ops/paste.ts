/**
 * `paste`: pastes the session's text where the keyboard is, if that is in this document.
 *
 * Chrome's clipboard is one for all sessions, and any page of another may write to it between the key and
 * what the key does. So it has no part in this: the key of the keyboard does nothing by itself, handlers
 * are told by events like those of a paste, and the text is put in by an editing command.
 */

import type { PasteRequest } from '../belongings.ts'
import { dispatchEvent, execCommand, focusedElement, hasFocus, localName } from '../dom.ts'
import { isEditable, isTextField } from '../fields.ts'
import type { Page } from '../page-state.ts'

/** Answers whether the keyboard is in this document. */
export function paste(page: Page, request: PasteRequest): boolean {
  const { document, window } = page
  const key = page.pasteKey
  page.pasteKey = undefined
  const at = focusedElement(document)
  if (!hasFocus(document) || (at && FRAMES.has(localName(at)))) return false
  const prevented = key?.defaultPrevented ?? false
  if (!at || prevented || request.text + (request.html ?? '') === '') return true
  const common = { bubbles: true, cancelable: true, composed: true }
  const clipboardData = held(page, request)
  const told = new window.ClipboardEvent('paste', { ...common, clipboardData })
  // A page that prevents it puts it in by itself, or does not want it.
  if (!dispatchEvent(caretIn(page, at), told)) return true
  const into = focusedElement(document)
  const isText = !!into && isTextField(into)
  if (!into || (!isText && !isEditable(into))) return true
  const inputType = 'insertFromPaste'
  const announced = new window.InputEvent('beforeinput', {
    ...common,
    inputType,
    ...(isText ? { data: request.text } : { dataTransfer: held(page, request) }),
  })
  if (!dispatchEvent(caretIn(page, into), announced)) return true
  const markup = isText ? undefined : harmless(page, request.html)
  // What takes plain text only refuses markup.
  const done = markup !== undefined && execCommand(document, 'insertHTML', false, markup)
  if (!done) execCommand(document, 'insertText', false, request.text)
  return true
}

const FRAMES = new Set(['iframe', 'frame', 'fencedframe'])

function held(page: Page, { text, html }: PasteRequest): DataTransfer {
  const data = new page.window.DataTransfer()
  if (text) data.setData('text/plain', text)
  if (html) data.setData('text/html', html)
  return data
}

/** What Chrome tells of a paste: the field, or in an editor what the caret stands in. */
function caretIn(page: Page, focused: Element): Element {
  const { window } = page
  const anchor = isEditable(focused) ? window.getSelection()?.anchorNode : undefined
  if (!anchor) return focused
  return anchor instanceof window.Element ? anchor : (anchor.parentElement ?? focused)
}

/** Markup of one page in another: without scripts, as Chrome pastes it too. */
function harmless(page: Page, html: string | undefined): string | undefined {
  if (!html) return undefined
  const box = page.document.implementation.createHTMLDocument('').createElement('div')
  const setHTML = (box as { setHTML?: (html: string) => void }).setHTML
  if (!setHTML) return undefined
  setHTML.call(box, html)
  return box.innerHTML
}
