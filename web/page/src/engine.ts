/**
 * The entry of `page.js`: puts `btcp.call` into the isolated world the engine evaluates it in.
 *
 * A world that has it keeps it, and with it the numbers of elements already given. The own property
 * is asked for, since `<div id=btcp>` makes one on the window too.
 */

import { call } from './call.ts'
import { hearCopies } from './clipboard.ts'
import { createPage } from './page-state.ts'
import { whenIdle } from './warm.ts'

/** Enough for V8 to have learnt what the code is called with. */
const PRACTICE = { mode: 'all', maxDepth: 24, includeHidden: false, maxChars: 2000, most: 150 }

if (!Object.hasOwn(globalThis, 'btcp')) {
  const page = createPage(window)
  hearCopies(page)
  let walked = false
  Object.defineProperty(globalThis, 'btcp', {
    value: {
      call: (op: string, request: unknown, nodes: Node[]) => {
        walked ||= op === 'snapshot'
        return call(page, op, request, nodes)
      },
    },
  })
  const practise = () => {
    try {
      call(page, 'snapshot', PRACTICE)
    } catch {
      // Whoever asks for a snapshot is told; the console is the page's.
    }
  }
  whenIdle(page, () => walked, practise)
}
