/**
 * What is practised on a page while nobody waits: reading a part of it, and finding out whether its
 * first control and its first field could be acted on.
 *
 * Nothing comes of it, and the page cannot notice: only what lies open in view is tried, so that
 * nothing is scrolled.
 */

import { call } from './call.ts'
import { queryAll } from './dom.ts'
import type { Purpose } from './messages.ts'
import type { Page } from './page-state.ts'
import { look } from './ready/check.ts'
import { aim } from './ready/hit.ts'
import { isInView } from './ready/scroll.ts'
import { createScan } from './scan.ts'
import { isRendered } from './visibility.ts'

/** Enough for V8 to have learnt what the code is called with. */
const READING = { mode: 'all', maxDepth: 24, includeHidden: false, maxChars: 2000, most: 150 }
const ACTING: [purpose: Purpose, selector: string][] = [
  ['click', 'button,a[href]'],
  ['fill', 'input:not([type=hidden]),textarea'],
]
/** So many are looked at for one that lies open. */
const TRIED = 5

export function practise(page: Page): void {
  try {
    call(page, 'snapshot', READING)
    for (const [purpose, selector] of ACTING) tryOne(page, purpose, selector)
  } catch {
    // Whoever asks for the same is told; the console is the page's.
  }
}

function tryOne(page: Page, purpose: Purpose, selector: string): void {
  const found = queryAll(page.document, selector)
  for (let at = 0; at < TRIED && at < found.length; at += 1) {
    const element = found[at]!
    if (!isRendered(page, element) || !isInView(page, element, undefined)) continue
    if (aim(createScan(page), element, undefined).is !== 'hit') continue
    const query = [{ by: 'ref' as const, id: page.idOf(element) }]
    const request = { query, purpose, replace: false, dry: true, timeout: 0, token: 0 }
    const memory = { element: undefined, box: undefined, at: 0 }
    look(page, request, { ...memory, movingSince: undefined, movedAt: undefined })
    return
  }
}
