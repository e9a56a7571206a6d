/**
 * `ready`: wait until an element can be acted on, then say where.
 *
 * The first look happens in the task of the call; only what is not ready costs a wait.
 */

import { similarNames } from '../describe.ts'
import { failed } from '../failed.ts'
import { isEditable, isField } from '../fields.ts'
import type { Failed, Purpose, ReadyReply, ReadyRequest, Step } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { look, type Memory } from '../ready/check.ts'
import { selected, toldOfSelection } from '../ready/selection.ts'
import { startWaiting } from '../waiting.ts'

export async function ready(page: Page, request: ReadyRequest): Promise<ReadyReply> {
  const memory: Memory = {
    element: undefined,
    box: undefined,
    at: 0,
    movingSince: undefined,
    movedAt: undefined,
  }
  const waiting = startWaiting(page, request.token, request.timeout)
  try {
    for (;;) {
      const before = EDITS.has(request.purpose) ? selected(page) : undefined
      const found = look(page, request, memory)
      if (found.is === 'over') {
        if (before && !request.dry && takesInModel(page, found.reply))
          await toldOfSelection(page, before)
        return found.reply
      }
      if (!(await waiting.change(found.soon))) {
        if (waiting.cancelled) return failed('cancelled', { element: found.reason.element })
        return lastLook(page, request, memory, found.reason)
      }
    }
  } finally {
    waiting.end()
  }
}

const EDITS = new Set<Purpose>(['type', 'fill', 'selectall'])

/** Whether the text goes into editable content, which may be the view of an editor's own model. */
function takesInModel(page: Page, reply: ReadyReply): boolean {
  if (reply.is !== 'ready') return false
  const element = page.elementOf(reply.id)
  return !!element && !isField(element) && isEditable(element)
}

/** At the deadline things may have come right since; otherwise the reason is told. */
function lastLook(page: Page, request: ReadyRequest, memory: Memory, reason: Failed): ReadyReply {
  const found = look(page, request, memory)
  if (found.is === 'over') return found.reply
  const told = found.reason ?? reason
  if (told.why === 'not_found') told.similar = likely(page, request.query)
  return told
}

/** What the agent may have meant, for queries that have words in them. */
export function likely(page: Page, query: readonly Step[]): Failed['similar'] {
  const step = query.at(-1)
  switch (step?.by) {
    case 'text':
    case 'label':
    case 'placeholder':
    case 'alt':
    case 'title':
      return similarNames(page, step.value)
    case 'role':
      return similarNames(page, step.name ?? '', step.role)
    default:
      return []
  }
}
