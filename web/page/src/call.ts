/** The ops by name: the one door the engine calls through. */

import { arm } from './ops/arm.ts'
import { cancel } from './ops/cancel.ts'
import { describe } from './ops/describe.ts'
import { element } from './ops/element.ts'
import { fieldValue } from './ops/field-value.ts'
import { find } from './ops/find.ts'
import { focusOwner } from './ops/focus-owner.ts'
import { framePoint } from './ops/frame-point.ts'
import { head } from './ops/head.ts'
import { identify } from './ops/identify.ts'
import { measure } from './ops/measure.ts'
import { moved } from './ops/moved.ts'
import { pressed } from './ops/pressed.ts'
import { read } from './ops/read.ts'
import { ready } from './ops/ready.ts'
import { scroll } from './ops/scroll.ts'
import { settle } from './ops/settle.ts'
import { snapshot } from './ops/snapshot.ts'
import { wait } from './ops/wait.ts'
import type { Page } from './page-state.ts'

// biome-ignore lint/suspicious/noExplicitAny: each op has its own request, checked by the engine's types.
type Op = (page: Page, request: any) => unknown

const OPS: Record<string, Op> = {
  arm,
  cancel,
  describe,
  element,
  fieldValue,
  find,
  focusOwner,
  framePoint,
  head,
  identify,
  measure,
  moved,
  pressed,
  read,
  ready,
  scroll,
  settle,
  // One string crosses to the engine several times faster than thousands of small arrays.
  snapshot: (page, request) => JSON.stringify(snapshot(page, request)),
  wait,
}

export function call(page: Page, op: string, request: unknown): unknown {
  const run = Object.hasOwn(OPS, op) ? OPS[op] : undefined
  if (!run) throw new Error(`There is no op '${op}'`)
  return run(page, request ?? {})
}
