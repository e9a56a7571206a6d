/**
 * `snapshot`: the outline of one document.
 *
 * Walking, shaping and printing are apart (`snapshot/`); this puts them together.
 */

import { documentTitle, documentURL, readyState } from '../dom.ts'
import type { SnapshotReply, SnapshotRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToRead } from '../query/resolve.ts'
import { createScan } from '../scan.ts'
import { onlyInteractive } from '../snapshot/modes.ts'
import { printLines } from '../snapshot/print.ts'
import { walk } from '../snapshot/walk.ts'
import { clean, cut, NAME_LIMIT } from '../text.ts'

export function snapshot(page: Page, request: SnapshotRequest): SnapshotReply {
  const scan = createScan(page)
  let root: Element | undefined
  if (request.root && request.root.length > 0) {
    const picked = pickToRead(scan, request.root)
    if (picked.is !== 'one') return picked
    root = picked.element
  }
  const outline = walk(scan, root, request)
  const nodes = request.mode === 'interactive' ? onlyInteractive(outline.nodes) : outline.nodes
  const lines = printLines(nodes, request.maxDepth)
  for (const [, head, id] of lines) if (id !== 0) page.remember(Math.abs(id), head)
  return {
    is: 'outline',
    title: cut(clean(documentTitle(page.document)), NAME_LIMIT),
    url: documentURL(page.document),
    loading: readyState(page.document) !== 'complete',
    lines,
    more: outline.more,
  }
}
