/**
 * The entry of `page.js`: puts `btcp.call` into the isolated world the engine evaluates it in.
 *
 * A world that has it keeps it, and with it the numbers of elements already given. The own property
 * is asked for, since `<div id=btcp>` makes one on the window too.
 */

import { call } from './call.ts'
import { createPage } from './page-state.ts'

if (!Object.hasOwn(globalThis, 'btcp')) {
  const page = createPage(window)
  Object.defineProperty(globalThis, 'btcp', {
    value: { call: (op: string, request: unknown) => call(page, op, request) },
  })
}
