/** The ops by name: the one door the engine calls through. */

import { takeCopied } from './clipboard.ts'
import { addScript } from './ops/add-script.ts'
import { addStyle } from './ops/add-style.ts'
import { arm } from './ops/arm.ts'
import { boxes } from './ops/boxes.ts'
import { cancel } from './ops/cancel.ts'
import { change } from './ops/change.ts'
import { choices } from './ops/choices.ts'
import { content } from './ops/content.ts'
import { copyStorage } from './ops/copy-storage.ts'
import { describe } from './ops/describe.ts'
import { dispatch } from './ops/dispatch.ts'
import { dragged } from './ops/dragged.ts'
import { draw } from './ops/draw.ts'
import { dropped } from './ops/dropped.ts'
import { element } from './ops/element.ts'
import { pointed } from './ops/element-at.ts'
import { emptyFiles } from './ops/empty-files.ts'
import { fieldValue } from './ops/field-value.ts'
import { fieldsShown } from './ops/fields-shown.ts'
import { files } from './ops/files.ts'
import { filled } from './ops/filled.ts'
import { find } from './ops/find.ts'
import { focusOwner } from './ops/focus-owner.ts'
import { framePoint } from './ops/frame-point.ts'
import { head } from './ops/head.ts'
import { identify } from './ops/identify.ts'
import { insert } from './ops/insert.ts'
import { internals } from './ops/internals.ts'
import { keyed } from './ops/keyed.ts'
import { listeners } from './ops/listeners.ts'
import { measure } from './ops/measure.ts'
import { moved } from './ops/moved.ts'
import { pageTools } from './ops/page-tools.ts'
import { paste } from './ops/paste.ts'
import { pressed } from './ops/pressed.ts'
import { putStorage } from './ops/put-storage.ts'
import { read } from './ops/read.ts'
import { ready } from './ops/ready.ts'
import { rememberRoots } from './ops/remember-roots.ts'
import { root } from './ops/root.ts'
import { rouse } from './ops/rouse.ts'
import { scroll } from './ops/scroll.ts'
import { settle } from './ops/settle.ts'
import { snapshot } from './ops/snapshot.ts'
import { storage } from './ops/storage.ts'
import { suspects } from './ops/suspects.ts'
import { wait } from './ops/wait.ts'
import type { Page } from './page-state.ts'

// biome-ignore lint/suspicious/noExplicitAny: each op has its own request, checked by the engine's types.
type Op = (page: Page, request: any, nodes: readonly Node[]) => unknown

const OPS: Record<string, Op> = {
  addScript,
  addStyle,
  arm,
  boxes,
  cancel,
  change,
  choices,
  content,
  copied: takeCopied,
  copyStorage,
  describe,
  dispatch,
  dragged,
  draw,
  dropped,
  element,
  elementAt: pointed,
  emptyFiles,
  fieldsShown,
  fieldValue,
  files,
  // As `ready`, and text is put in at once; a person's doing, as far as the page can tell.
  fill: (page, request) => ready(page, { ...request, inPlace: true }),
  filled,
  find,
  focusOwner,
  framePoint,
  head,
  identify,
  insert,
  internals,
  keyed,
  listeners,
  measure,
  moved,
  pageTools,
  paste,
  pressed,
  putStorage,
  read,
  ready,
  rememberRoots,
  root,
  rouse,
  scroll,
  settle,
  // One string crosses to the engine several times faster than thousands of small arrays.
  snapshot: (page, request) => JSON.stringify(snapshot(page, request)),
  storage,
  suspects,
  wait,
}

/** `nodes` are what the engine holds by handles and hands over. */
export function call(page: Page, op: string, request: unknown, nodes: readonly Node[] = []) {
  const run = Object.hasOwn(OPS, op) ? OPS[op] : undefined
  if (!run) throw new Error(`There is no op '${op}'`)
  return run(page, request ?? {}, nodes)
}
