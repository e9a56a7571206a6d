/**
 * `insert`: puts text into a field of this document, and into no other.
 *
 * A key of the real keyboard goes to whoever has the focus when it arrives, and any frame of a page can
 * take that. What must not get elsewhere, a secret, is inserted here as an editing command of the
 * document itself; handlers are told of each character by events like those of keys.
 */

import { dispatchEvent, execCommand, focusedElement, isConnected, isInside } from '../dom.ts'
import { announce } from '../editing.ts'
import { isEditable, isTextField } from '../fields.ts'
import type { InsertReply, InsertRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { caretToEnd, focus } from '../ready/focus.ts'

export async function insert(page: Page, request: InsertRequest): Promise<InsertReply> {
  const element = page.elementOf(request.id)
  if (element && page.insertion?.id !== request.id) begin(page, request.id, element)
  let inserted = 0
  for (const [text, code] of request.pieces) {
    // A page may hand the focus on from box to box.
    if (inserted > 0) await turn(page)
    const into = element && fieldOf(page, element)
    if (!into || !put(page, into, text, code)) break
    inserted += 1
  }
  return { inserted }
}

/** From now on it is known where in this document the keyboard was last, whoever takes it away. */
function begin(page: Page, id: number, element: Element): void {
  const isFirst = page.insertion === undefined
  page.insertion = { id, at: new WeakRef(element) }
  if (!isFirst) return
  const heed = () => {
    const at = focusedField(page)
    if (at && page.insertion) page.insertion.at = new WeakRef(at)
  }
  page.window.addEventListener('focusin', heed, true)
}

/** The field of this document that has its focus: the one meant, or where the page has gone from it. */
function fieldOf(page: Page, element: Element): Element | undefined {
  const at = focusedField(page)
  if (at) return at
  // Somebody else took the focus: back to where it was, which need not be where it began.
  const last = page.insertion?.at.deref()
  const back = last && isConnected(last) ? last : element
  // A field knows its selection when it has the focus again; an editable element may not.
  focus(back)
  const anchor = page.window.getSelection()?.anchorNode
  if (!isTextField(back) && !(anchor && isInside(anchor, back))) caretToEnd(page, back)
  return focusedField(page)
}

function focusedField(page: Page): Element | undefined {
  const at = focusedElement(page.document)
  return at && (isTextField(at) || isEditable(at)) ? at : undefined
}

function put(page: Page, into: Element, text: string, code: string): boolean {
  const { KeyboardEvent } = page.window
  const common = { bubbles: true, cancelable: true, composed: true }
  const key = (name: string) =>
    code === '' || dispatchEvent(into, new KeyboardEvent(name, { ...common, key: text, code }))
  const goes = key('keydown') && key('keypress') && announce(page, into, text)
  // A page that prevents it puts it in by itself, or does not want it.
  const done = !goes || execCommand(page.document, 'insertText', false, text)
  key('keyup')
  return done
}

function turn(page: Page): Promise<void> {
  return new Promise((resolve) => page.window.setTimeout(resolve, 0))
}
