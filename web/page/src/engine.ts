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
import { PRACTISED, whenIdle } from './warm.ts'

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
  whenIdle(
    page,
    PRACTISED,
    () => walked,
    () => practise(page),
  )
  whenIdle(
    page,
    1,
    () => page.asked !== undefined,
    () => heed(page),
  )
}
