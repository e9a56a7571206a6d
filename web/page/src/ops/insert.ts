/**
 * `insert`: puts text into a field of this document, and into no other.
 *
 * A key of the real keyboard goes to whoever has the focus when it arrives, and any frame of a page can
 * take that. What must not get elsewhere, a secret, is inserted here as an editing command of the
 * document itself; handlers are told of each character by events like those of keys.
 */

import { dispatchEvent, execCommand, focusedElement, isInside } from '../dom.ts'
import { isEditable, isTextField } from '../fields.ts'
import type { InsertReply, InsertRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { caretToEnd, focus } from '../ready/focus.ts'

export async function insert(page: Page, request: InsertRequest): Promise<InsertReply> {
  const element = page.elementOf(request.id)
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

/** The field of this document that has its focus: the one meant, or where the page has gone from it. */
function fieldOf(page: Page, element: Element): Element | undefined {
  const focused = () => {
    const at = focusedElement(page.document)
    return at && (isTextField(at) || isEditable(at)) ? at : undefined
  }
  const at = focused()
  if (at) return at
  // A field knows its selection when it has the focus again; an editable element may not.
  focus(element)
  const anchor = page.window.getSelection()?.anchorNode
  if (!isTextField(element) && !(anchor && isInside(anchor, element))) caretToEnd(page, element)
  return focused()
}

function put(page: Page, into: Element, text: string, code: string): boolean {
  const { InputEvent, KeyboardEvent } = page.window
  const common = { bubbles: true, cancelable: true, composed: true }
  const key = (name: string) =>
    code === '' || dispatchEvent(into, new KeyboardEvent(name, { ...common, key: text, code }))
  // Editing commands do not announce themselves, as keys do.
  const announced = () =>
    dispatchEvent(
      into,
      new InputEvent('beforeinput', { ...common, inputType: 'insertText', data: text }),
    )
  const goes = key('keydown') && key('keypress') && announced()
  // A page that prevents it puts it in by itself, or does not want it.
  const done = !goes || execCommand(page.document, 'insertText', false, text)
  key('keyup')
  return done
}

function turn(page: Page): Promise<void> {
  return new Promise((resolve) => page.window.setTimeout(resolve, 0))
}
