/**
 * The entry of `page.js`: puts `btcp.call` into the isolated world the engine evaluates it in.
 *
 * A world that has it keeps it, and with it the numbers of elements already given. The own property
 * is asked for, since `<div id=btcp>` makes one on the window too.
 */

import { heed } from './asked.ts'
import { call } from './call.ts'
import { hearCopies } from './clipboard.ts'
import { createPage } from './page-state.ts'
import { practise } from './practice.ts'
import { whenIdle } from './warm.ts'

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
  const practice = { needless: () => walked, run: () => practise(page) }
  // A frame is acted in more seldom, and there may be dozens.
  const heeded = () => page.asked !== undefined || window.parent !== window
  // The next idle moment may be long in coming, so both are done in the first.
  const first = {
    needless: () => walked && heeded(),
    run: () => {
      if (!heeded()) heed(page)
      if (!walked) practise(page)
    },
  }
  // The second time over, calls are half as dear again; beyond that little is gained.
  whenIdle(page, [first, practice])
}
