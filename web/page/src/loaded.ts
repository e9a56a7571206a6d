/** Puts an element that loads something into the page and tells what came of it. */

import { appendChild } from './dom.ts'
import type { AddReply } from './messages.ts'
import type { Page } from './page-state.ts'

const VIOLATION = 'securitypolicyviolation'

export function loaded(
  page: Page,
  element: HTMLLinkElement | HTMLScriptElement,
  url: string,
  place: Element,
  timeout: number,
): Promise<AddReply> {
  const { window, document } = page
  const { addEventListener: listen, removeEventListener: unlisten } = EventTarget.prototype
  let blocked = false
  const forbidden = () => {
    blocked = true
  }
  listen.call(document, VIOLATION, forbidden, { capture: true })
  return new Promise<AddReply>((resolve) => {
    const limit = window.setTimeout(() => resolve({ is: 'failed', url }), timeout)
    const end = (is: AddReply['is']) => {
      window.clearTimeout(limit)
      resolve({ is, url })
    }
    element.addEventListener('load', () => end('added'))
    // Chrome tells of the violation in a task of its own, which may come after this one.
    element.addEventListener('error', () => {
      window.setTimeout(() => end(blocked ? 'blocked' : 'failed'), 50)
    })
    appendChild(place, element)
  }).then((added) => {
    unlisten.call(document, VIOLATION, forbidden, { capture: true })
    if (added.is !== 'added') element.remove()
    return added
  })
}
