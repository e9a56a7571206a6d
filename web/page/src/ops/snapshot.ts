/**
 * `snapshot`: the outline of one document.
 *
 * Walking, shaping and printing are apart (`snapshot/`); this puts them together.
 */

import { documentTitle, documentURL, readyState, whileStill } from '../dom.ts'
import { countHandlers } from '../listeners.ts'
import type { SnapshotReply, SnapshotRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToRead } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { countSlots, forgetSuspects } from '../snapshot/hosts.ts'
import { onlyInteractive } from '../snapshot/modes.ts'
import type { Source } from '../snapshot/outline.ts'
import { printLines } from '../snapshot/print.ts'
import { countStrangers } from '../snapshot/strangers.ts'
import { walk } from '../snapshot/walk.ts'
import { weigh } from '../snapshot/weigh.ts'
import { clean, cut, NAME_LIMIT } from '../text.ts'
import { safeAddress } from '../url.ts'

/** With such a budget nothing is left out, and nothing need be told of what is in view. */
const EVERYTHING = 2 ** 40

export function snapshot(page: Page, request: SnapshotRequest): SnapshotReply {
  return whileStill(page.document, () => look(page, request))
}

function look(page: Page, request: SnapshotRequest): SnapshotReply {
  const scan = createScan(page)
  let root: Element | undefined
  if (request.root && request.root.length > 0) {
    const picked = pickToRead(scan, request.root)
    if (picked.is !== 'one') return picked
    root = picked.element
  }
  forgetSuspects(page.hosts, request.met ?? false)
  page.strangers.noticed.clear()
  const from = request.from === undefined ? undefined : page.elementOf(request.from)
  const outline = walk(scan, root, from, request)
  const nodes = request.mode === 'interactive' ? onlyInteractive(outline.nodes) : outline.nodes
  const sources: Source[] = []
  const lines = printLines(page, nodes, request.maxDepth, sources)
  const everything = request.maxChars >= EVERYTHING
  if (everything || outline.chars * 2 > request.maxChars) weigh(scan, lines, sources, !everything)
  for (const line of lines) {
    if (line[2] !== 0 && line[1] !== '…') page.remember(Math.abs(line[2]), line[1])
  }
  return {
    is: 'outline',
    title: cut(clean(documentTitle(page.document)), NAME_LIMIT),
    url: safeAddress(documentURL(page.document)),
    loading: readyState(page.document) !== 'complete',
    lines,
    suspects: page.hosts.suspects.size + countStrangers(page),
    others: page.hosts.others.size,
    slots: countSlots(page.document),
    handlers: countHandlers(page.document),
  }
}
