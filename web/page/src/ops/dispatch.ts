/**
 * `dispatch`: sends an event made by a script to an element.
 *
 * Of the kind its name stands for, so that a handler finds the properties it expects; any other name
 * makes a `CustomEvent`. Nobody can make a trusted one: for what a person does there are other ways.
 */

import { named } from '../describe.ts'
import { failed } from '../failed.ts'
import type { DispatchReply, DispatchRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToRead } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { startWaiting } from '../waiting.ts'
import { likely } from './ready.ts'

type Kind =
  | 'CustomEvent'
  | 'Event'
  | 'MouseEvent'
  | 'PointerEvent'
  | 'KeyboardEvent'
  | 'InputEvent'
  | 'FocusEvent'
  | 'WheelEvent'
  | 'DragEvent'
  | 'TouchEvent'

const KINDS: [names: RegExp, kind: Kind][] = [
  [/^(click|dblclick|auxclick|contextmenu|mouse\w+)$/, 'MouseEvent'],
  [/^(pointer\w+|gotpointercapture|lostpointercapture)$/, 'PointerEvent'],
  [/^key(down|up|press)$/, 'KeyboardEvent'],
  [/^(beforeinput|input)$/, 'InputEvent'],
  [/^(focus|blur|focusin|focusout)$/, 'FocusEvent'],
  [/^wheel$/, 'WheelEvent'],
  [/^(drag\w*|drop)$/, 'DragEvent'],
  [/^touch\w+$/, 'TouchEvent'],
  [/^(change|submit|reset|scroll|load|error|select|toggle|cancel|close|invalid)$/, 'Event'],
]

export async function dispatch(page: Page, request: DispatchRequest): Promise<DispatchReply> {
  const waiting = startWaiting(page, request.token, request.timeout)
  try {
    for (;;) {
      const scan = createScan(page)
      const picked = pickToRead(scan, request.query)
      if (picked.is === 'frame') return picked
      if (picked.is === 'one') {
        const element = named(scan, picked.element)
        return { is: 'sent', element, prevented: !send(page, picked.element, request) }
      }
      if (picked.why !== 'not_found') return picked
      if (!(await waiting.change())) {
        if (waiting.cancelled) return failed('cancelled')
        return { ...picked, similar: likely(page, request.query) }
      }
    }
  } finally {
    waiting.end()
  }
}

/** Whether no handler prevented what would come of it. */
function send(page: Page, element: Element, { event, init }: DispatchRequest): boolean {
  const kind = KINDS.find(([names]) => names.test(event))?.[1] ?? 'CustomEvent'
  const makers = page.window as unknown as Record<Kind, new (name: string, init: object) => Event>
  const full = { bubbles: true, cancelable: true, composed: true, ...init }
  let made: Event
  try {
    made = new makers[kind](event, full)
  } catch {
    // What was given does not fit that kind of event.
    made = new makers.CustomEvent(event, { bubbles: true, cancelable: true, detail: init })
  }
  return EventTarget.prototype.dispatchEvent.call(element, made)
}
