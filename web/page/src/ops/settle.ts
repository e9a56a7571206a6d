/**
 * `settle`: what came of an event, once the page is quiet.
 *
 * Quiet is one frame without a mutation. If nothing changes at all it watches for a while, so that
 * what a timer does is not reported as nothing.
 */

import { takeAsked } from '../asked.ts'
import { takeCopied } from '../clipboard.ts'
import { describe } from '../describe.ts'
import { isFrame, isInside } from '../dom.ts'
import type { Settled, SettleRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { receives } from '../ready/hit.ts'
import { createScan } from '../scan.ts'
import { nextFrame } from '../waiting.ts'
import type { Watch } from '../watch.ts'
import { fieldValue } from './field-value.ts'

const STALLED_FRAME = 50
/** How long a settled page is still listened to. */
const LISTENING = 4000

export async function settle(page: Page, request: SettleRequest): Promise<Settled> {
  const { watch } = page
  if (!watch) return { changed: false, received: true, busy: false, ...field(page, request) }
  let over = page.cancelled.delete(request.token)
  page.waits.set(request.token, () => {
    over = true
    watch.onNoise?.()
  })
  const now = () => page.window.performance.now()
  const limit = now() + request.limit
  let busy = false
  try {
    await firstChange(page, watch, request.watch, limit, () => over)
    while (!over && watch.changedSince()) {
      if (now() >= limit) {
        busy = true
        break
      }
      await nextFrame(page, STALLED_FRAME)
    }
    const asked = takeAsked(page)
    const what = { changed: watch.changed(), busy, asked, copied: takeCopied(page) }
    return { ...what, ...receipt(page, watch), ...field(page, request) }
  } finally {
    watch.onNoise = undefined
    page.waits.delete(request.token)
    // Asked again when requests of the page have ended; a page nobody asks about is left alone.
    page.window.setTimeout(() => watch.end(), LISTENING)
  }
}

/** What the field holds once the page is quiet, where that was asked. */
function field(page: Page, request: SettleRequest): Pick<Settled, 'field'> {
  return request.field ? { field: fieldValue(page, { id: request.id }) } : {}
}

/** Until the document changes, or `quiet` ms have passed since the event arrived or we began. */
async function firstChange(
  page: Page,
  watch: Watch,
  quiet: number,
  limit: number,
  isOver: () => boolean,
): Promise<void> {
  const now = () => page.window.performance.now()
  let until = Math.min(now() + quiet, limit)
  let heard = watch.receiver() !== undefined
  while (!isOver() && !watch.changed() && now() < until) {
    await new Promise<void>((resolve) => {
      const timer = page.window.setTimeout(resolve, Math.max(1, until - now()))
      watch.onNoise = () => {
        page.window.clearTimeout(timer)
        resolve()
      }
    })
    watch.onNoise = undefined
    if (!heard && watch.receiver()) {
      heard = true
      until = Math.min(now() + quiet, limit)
    }
  }
}

type Receipt = Pick<Settled, 'received' | 'receivedBy' | 'releasedOver'>

/** Who got the press, and over whom the button was let go: only where both are one is a click. */
function receipt(page: Page, watch: Watch): Receipt {
  const receiver = watch.receiver()
  // What is pressed inside another document is heard there; and a page may keep what it hears to
  // itself.
  if (!receiver) return { received: isFrame(watch.element) || watch.mayHaveCome() }
  const scan = createScan(page)
  const other = (element: Element | undefined) => {
    if (!element || isInside(element, watch.element)) return undefined
    return receives(scan, element, watch.element) ? undefined : describe(scan, element)
  }
  const receivedBy = other(receiver)
  return {
    received: true,
    receivedBy,
    // What is dragged is let go elsewhere on purpose.
    releasedOver: receivedBy || watch.drag ? undefined : other(watch.releasedOver()),
  }
}
