/** `wait`: until an element or a text is there, seen, or gone. */

import { named } from '../describe.ts'
import { failed } from '../failed.ts'
import type { Until, WaitReply, WaitRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { isTextShown } from '../query/find-by-text.ts'
import { resolve } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { isSeen } from '../visibility.ts'
import { startWaiting } from '../waiting.ts'

export async function wait(page: Page, request: WaitRequest): Promise<WaitReply> {
  const waiting = startWaiting(page, request.token, request.timeout)
  try {
    for (;;) {
      const reply = judge(page, request.until)
      if (reply.is !== 'unmet') return reply
      if (!(await waiting.change())) {
        if (waiting.cancelled) return failed('cancelled')
        return judge(page, request.until)
      }
    }
  } finally {
    waiting.end()
  }
}

function judge(page: Page, until: Until): WaitReply {
  switch (until.is) {
    case 'text':
    case 'gone':
      return judgeText(page, until)
    default:
      return judgeElement(page, until)
  }
}

function judgeText(page: Page, until: Extract<Until, { text: string }>): WaitReply {
  const shown = isTextShown(createScan(page), until.text)
  if (shown === (until.is === 'text')) return { is: 'met' }
  return unmet(shown ? 'the text is still on the page' : 'the text is not on the page', shown)
}

function judgeElement(page: Page, until: Extract<Until, { query: unknown }>): WaitReply {
  const scan = createScan(page)
  const absent = until.is === 'detached' || until.is === 'hidden'
  const found = resolve(scan, until.query)
  if (found.is === 'frame') return found
  if (found.is === 'failed') return found.why === 'stale' && absent ? { is: 'met' } : found
  const { elements } = found
  const seen = elements.find((element) => isSeen(page, element))
  const met = (element: Element | undefined): WaitReply => ({
    is: 'met',
    element: element && named(scan, element),
  })
  switch (until.is) {
    case 'attached':
      return elements.length > 0 ? met(seen ?? elements[0]) : unmet('nothing matches', false)
    case 'visible':
      if (seen) return met(seen)
      if (elements.length === 0) return unmet('nothing matches', false)
      return unmet('it is in the document but not visible', true)
    case 'hidden':
      return seen ? unmet('it is visible', true) : met(undefined)
    case 'detached':
      return elements.length > 0
        ? unmet(seen ? 'it is visible' : 'it is in the document but not visible', true)
        : met(undefined)
  }
}

/** `near`: something was found, though not as it should be. */
function unmet(state: string, near: boolean): WaitReply {
  return { is: 'unmet', state, near }
}
