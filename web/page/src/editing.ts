/**
 * Text put into the focused field as an editing command of its document.
 *
 * It cannot go elsewhere, as what the keyboard sends can. Chrome undoes it, cuts it to `maxlength` and
 * tells of it by a trusted `input`, as of a typed one; of what comes before that it does not tell.
 */

import {
  createEvent,
  dispatchEvent,
  execCommand,
  focusedElement,
  queryCommandEnabled,
} from './dom.ts'
import type { Page } from './page-state.ts'

/** Tells handlers of text that is about to be put in; `false` if one prevents it. */
export function announce(page: Page, into: Element, text: string): boolean {
  const { InputEvent } = page.window
  const how = { bubbles: true, cancelable: true, composed: true }
  const told = { ...how, inputType: 'insertText', data: text }
  return dispatchEvent(into, new InputEvent('beforeinput', told))
}

/** Puts text in the place of what is selected; `false` if this document takes none by commands. */
export function insertText(page: Page, into: Element, text: string): boolean {
  if (!takesCommands(page)) return false
  // A page that prevents it puts it in by itself, or does not want it.
  const goes = announce(page, into, text) && announceOldStyle(page, into, text)
  if (!goes) return true
  // One that led the keyboard away when it heard of it did not want it either, here or there.
  if (focusedElement(page.document) !== into) return true
  return execCommand(page.document, 'insertText', false, text)
}

function takesCommands(page: Page): boolean {
  try {
    return queryCommandEnabled(page.document, 'insertText')
  } catch {
    // It is XML.
    return false
  }
}

/** What React's `onBeforeInput` still listens to. */
function announceOldStyle(page: Page, into: Element, text: string): boolean {
  const event = createEvent(page.document, 'TextEvent') as TextEvent
  event.initTextEvent('textInput', true, true, page.window, text)
  return dispatchEvent(into, event)
}

/** Old enough that its types are gone. */
interface TextEvent extends Event {
  initTextEvent(
    type: string,
    bubbles: boolean,
    cancelable: boolean,
    view: Window,
    data: string,
  ): void
}
