/**
 * `rouse`: tells a watcher in the page's own world when it is worth looking again.
 *
 * Only that world can run what an agent asks for, and only this one knows when the page has changed
 * and whether anybody still waits. They speak by an event whose name nobody else knows.
 */

import type { RouseRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { startWaiting } from '../waiting.ts'

export async function rouse(page: Page, request: RouseRequest): Promise<{ over: true }> {
  const waiting = startWaiting(page, request.token, request.timeout)
  const tell = (detail: 'look' | 'over') => {
    const event = new CustomEvent(request.name, { detail })
    // An element of that name on the page would hide the window's own.
    EventTarget.prototype.dispatchEvent.call(page.window, event)
  }
  try {
    while (await waiting.change()) tell('look')
  } finally {
    waiting.end()
    tell('over')
  }
  return { over: true }
}
