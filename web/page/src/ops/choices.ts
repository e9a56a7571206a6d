/**
 * `choices`: which options of a list the page made itself are to be clicked.
 *
 * Waits for a list that was opened to show what is wanted: options may come by and by, and a long
 * list makes them only while it is scrolled.
 */

import { named } from '../describe.ts'
import { isConnected } from '../dom.ts'
import { isTextField } from '../fields.ts'
import {
  findOption,
  isMultiple,
  isOptionChosen,
  labelOf,
  listOf,
  optionsOf,
  rememberShown,
  scrollOn,
} from '../lists.ts'
import type { ChoicesReply, ChoicesRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { createScan, type Scan } from '../scan.ts'
import { cut } from '../text.ts'
import { startWaiting } from '../waiting.ts'

/** How long a list that shows something, but not what is wanted, may go on making options. */
const STILL_COMING = 700
const SHOWN_OPTIONS = 30

export async function choices(page: Page, request: ChoicesRequest): Promise<ChoicesReply> {
  const waiting = startWaiting(page, request.token, request.timeout)
  const seen = new Map<string, true>()
  let since: number | undefined
  try {
    for (;;) {
      const scan = createScan(page)
      const control = page.elementOf(request.id)
      if (!control || !isConnected(control)) return missing(request, seen, false)
      const list = listOf(scan, control, request.opened)
      if (!list && !request.opened) {
        rememberShown(scan)
        return { is: 'closed' }
      }
      if (list) {
        const found = judge(scan, control, list, request, seen)
        if (found) return found
        const now = page.window.performance.now()
        if (seen.size > 0) since ??= now
        // A list that has more to show is looked through to its end.
        if (scrollOn(page, list)) since = now
        else if (since !== undefined && now - since > STILL_COMING) {
          return missing(request, seen, isTextField(control))
        }
      }
      if (!(await waiting.change())) {
        const typable = isTextField(control) && !waiting.cancelled
        return missing(request, seen, typable)
      }
    }
  } finally {
    waiting.end()
  }
}

/** What to click, if all that is wanted is there. */
function judge(
  scan: Scan,
  control: Element,
  list: Element,
  request: ChoicesRequest,
  seen: Map<string, true>,
): ChoicesReply | undefined {
  const options = optionsOf(scan, list)
  for (const option of options) seen.set(labelOf(scan, option), true)
  const several = isMultiple(list) || isMultiple(control)
  if (request.choices.length !== 1 && !several) return { is: 'single' }
  const wanted: Element[] = []
  for (const choice of request.choices) {
    const option = findOption(scan, options, choice)
    if (!option) return undefined
    wanted.push(option)
  }
  // One of several is chosen by a click that adds it; what was chosen besides goes.
  const click = wanted.filter((option) => !several || !isOptionChosen(option))
  const drop = several
    ? options.filter((option) => isOptionChosen(option) && !wanted.includes(option))
    : []
  return { is: 'options', click: [...drop, ...click].map((option) => named(scan, option)) }
}

function missing(
  request: ChoicesRequest,
  seen: ReadonlyMap<string, true>,
  typable: boolean,
): ChoicesReply {
  const options = [...seen.keys()].filter(Boolean).map((label) => cut(label, 80))
  const has = (choice: string) => options.some((label) => label === choice)
  const choice = request.choices.find((one) => !has(one)) ?? request.choices[0] ?? ''
  return { is: 'missing', choice, options: options.slice(0, SHOWN_OPTIONS), typable }
}
