/**
 * The messages between the engine and this code, as `crates/btcp-engine/src/page/ops.rs` has them.
 *
 * That file is the original; a field is added there first.
 */

export type Step =
  | { by: 'ref'; id: number }
  | { by: 'css'; value: string }
  | { by: 'xpath'; value: string }
  | { by: 'text'; value: string; exact: boolean }
  | { by: 'role'; role: string; name?: string | null; exact: boolean }
  | { by: 'label'; value: string; exact: boolean }
  | { by: 'placeholder'; value: string; exact: boolean }
  | { by: 'alt'; value: string; exact: boolean }
  | { by: 'title'; value: string; exact: boolean }
  | { by: 'testid'; value: string }
  | { by: 'nth'; index: number }

export type Purpose = 'click' | 'hover' | 'type' | 'fill' | 'check' | 'select' | 'focus' | 'see'

export interface Offset {
  x: number
  y: number
}

/** An element as errors and results name it: its number and how the snapshot prints it. */
export interface Named {
  id: number
  what: string
}

export type Why =
  | 'not_found'
  | 'stale'
  | 'ambiguous'
  | 'not_visible'
  | 'moving'
  | 'disabled'
  | 'covered'
  | 'not_editable'
  | 'no_such_option'
  | 'bad_value'
  | 'outside_viewport'
  | 'bad_selector'
  | 'cancelled'

export interface Failed {
  is: 'failed'
  why: Why
  element?: Named
  detail?: string
  similar: Named[]
  matched: number
  options: string[]
}

export interface FrameReached {
  is: 'frame'
  id: number
  used: number
}

export interface ReadyRequest {
  query: Step[]
  purpose: Purpose
  position?: Offset
  value?: string
  choices?: string[]
  replace: boolean
  timeout: number
  token: number
}

export type FillPlan = 'insert' | 'delete' | 'done' | 'click' | 'same'

export interface ReadyElement {
  is: 'ready'
  id: number
  what: string
  x: number
  y: number
  matched: number
  through?: string
  fill?: FillPlan
}

export type ReadyReply = ReadyElement | FrameReached | Failed

export type Property =
  | 'text'
  | 'innerText'
  | 'innerHtml'
  | 'outerHtml'
  | 'value'
  | 'attribute'
  | 'visible'
  | 'enabled'
  | 'checked'
  | 'box'

export interface ReadRequest {
  query: Step[]
  what: Property
  attribute?: string
  timeout: number
  token: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export type ReadValue = string | boolean | Box | null

export type ReadReply = { is: 'value'; element: Named; value: ReadValue } | FrameReached | Failed

export interface FindRequest {
  query: Step[]
  limit: number
}

export type FindReply =
  | { is: 'found'; count: number; visible: number; matches: Named[] }
  | FrameReached
  | Failed

export type Until =
  | { is: 'attached' | 'detached' | 'visible' | 'hidden'; query: Step[] }
  | { is: 'text' | 'gone'; text: string }

export interface WaitRequest {
  until: Until
  timeout: number
  token: number
}

export type WaitReply =
  | { is: 'met'; element?: Named }
  | { is: 'unmet'; state: string }
  | FrameReached
  | Failed

export type Mode = 'all' | 'interactive' | 'text'

export interface SnapshotRequest {
  root?: Step[]
  mode: Mode
  maxDepth: number
  includeHidden: boolean
  maxChars: number
}

/** `[depth, head, id, tail]`; the engine prints indent, head, ` eN`, tail. */
export type Line = [depth: number, head: string, id: number, tail: string]

export type SnapshotReply =
  | { is: 'outline'; title: string; url: string; loading: boolean; lines: Line[]; more: number }
  | FrameReached
  | Failed

export interface FramePointRequest {
  id: number
  x: number
  y: number
  hit: boolean
}

export type FramePointReply = { is: 'point'; x: number; y: number } | Failed

export interface ElementRequest {
  id: number
}

export interface FieldValue {
  value: string
  length: number
  secret: boolean
}

export interface Description {
  what: string
  connected: boolean
  similar: Named[]
}

export interface Head {
  title: string
  url: string
  status: number
}

export interface Measure {
  width: number
  height: number
  pageWidth: number
  pageHeight: number
  scrollX: number
  scrollY: number
}

export interface SettleRequest {
  id: number
  watch: number
  limit: number
  field: boolean
  token: number
}

export interface Settled {
  field?: FieldValue
  changed: boolean
  receivedBy?: string
  received: boolean
  busy: boolean
}

export interface CancelRequest {
  token: number
}

export interface ScrollRequest {
  id?: number
  by: { pixels: [number, number] } | 'top' | 'bottom' | 'intoView'
}

export interface ScrollReply {
  x: number
  y: number
  moved: boolean
  more: boolean
}
