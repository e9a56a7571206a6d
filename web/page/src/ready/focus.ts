/**
 * Putting the keyboard into a field: focus, caret, selection.
 */

import { createRange, focusElement, focusedElement, isInside } from '../dom.ts'
import { isTextField } from '../fields.ts'
import type { Page } from '../page-state.ts'

export function focus(element: Element): void {
  focusElement(element, { preventScroll: true })
}

/** Whether the keyboard is at an element, or at something in it. */
export function hasFocus(page: Page, element: Element): boolean {
  const focused = focusedElement(page.document)
  return !!focused && isInside(focused, element)
}

/** Selects all of a field's content, so that what is typed replaces it. */
export function selectContent(page: Page, element: Element): void {
  if (isTextField(element)) element.select()
  else page.window.getSelection()?.selectAllChildren(element)
}

/** Puts the caret behind the last character. */
export function caretToEnd(page: Page, element: Element): void {
  if (!isTextField(element)) {
    const range = createRange(page.document)
    range.selectNodeContents(element)
    range.collapse(false)
    const selection = page.window.getSelection()
    selection?.removeAllRanges()
    selection?.addRange(range)
    return
  }
  try {
    element.setSelectionRange(element.value.length, element.value.length)
  } catch {
    // Number and email fields have no selection to set, but one to move.
    element.select()
    page.window.getSelection()?.modify('move', 'forward', 'character')
  }
}
