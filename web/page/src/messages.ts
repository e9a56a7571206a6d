/**
 * The messages between the engine and this code, as `crates/btcp-engine/src/page/ops.rs` has them.
 *
 * That file is the original; a field is added there first. Of what a page keeps is `belongings.ts`.
 */

import type { Copied } from './belongings.ts'

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

export type Purpose =
  | 'click'
  | 'hover'
  | 'type'
  | 'fill'
  | 'check'
  | 'select'
  | 'focus'
  | 'selectall'
  | 'drag'
  | 'see'
  | 'upload'

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
  | 'script'
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
  /** The press opens a menu and follows nothing: the right button. */
  aside?: boolean
  /** Only whether and where: nothing is focused, filled or watched. */
  dry?: boolean
  /** With `fill`: what is typed is put in by the page code, in the task that found the field ready. */
  inPlace?: boolean
  timeout: number
  token: number
}

export type FillPlan = 'insert' | 'delete' | 'done' | 'click' | 'list' | 'same'

export interface ReadyElement {
  is: 'ready'
  id: number
  what: string
  x: number
  y: number
  matched: number
  through?: string
  /** Nothing of this document lies over that point: nothing of those around it may either. */
  tested?: boolean
  fill?: FillPlan
  unfocused?: boolean
  /** The press goes on into this frame. */
  frame?: boolean
  /** A password field. */
  secret?: boolean
  files?: FileNeeds
}

/** How files get to an element: put into it, by a chooser it opens, dropped on it. */
export interface FileNeeds {
  plan: 'set' | 'press' | 'drop'
  multiple: boolean
  /** It takes a whole folder. */
  folder: boolean
  /** What the page would like, as it wrote it. */
  accept: string
}

export interface FilesRequest {
  id?: number
}

export type FilesReply =
  | {
      is: 'field'
      id: number
      what: string
      needs: FileNeeds
      disabled: boolean
      files: { name: string; size: number }[]
    }
  | { is: 'none' }

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
  | 'links'

export interface ReadRequest {
  query: Step[]
  what: Property
  attribute?: string
  /** Whether passwords may be told. */
  reveal: boolean
  timeout: number
  token: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A link: what it says and where it leads. */
export interface Link {
  text: string
  href: string
}

export type ReadValue = string | boolean | Box | FieldValue | Link[] | null

export type ReadReply = { is: 'value'; element: Named; value: ReadValue } | FrameReached | Failed

export interface FindRequest {
  query: Step[]
  limit: number
  /** Only what a person can see, and of matches inside each other the outermost. */
  seen: boolean
}

export type FindReply =
  | {
      is: 'found'
      count: number
      visible: number
      /** Whether the words asked for are all that was looked at in them. */
      whole: boolean
      matches: Named[]
    }
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
  | { is: 'unmet'; state: string; near: boolean }
  | FrameReached
  | Failed

export interface RouseRequest {
  /** The name of the event by which to tell. */
  name: string
  timeout: number
  token: number
}

export interface PageToolsRequest {
  name?: string | null
  most: number
  longestText: number
  longestSchema: number
}

export interface PageToolsReply {
  tools: { name: string; origin: string; description: string; schema: string }[]
  more: number
}

export type Mode = 'all' | 'interactive' | 'text'

export interface SnapshotRequest {
  root?: Step[]
  mode: Mode
  maxDepth: number
  includeHidden: boolean
  maxChars: number
  /** The number of the element with which to begin, inside the root: opens a fold. */
  from?: number
  /** Of the elements that the last look noticed only by what they hold none hides anything. */
  met?: boolean
}

/**
 * `[depth, head, id, tail, node, seen, groups]`; the engine prints indent, head, ` eN`, tail.
 *
 * `node` is the number of the line's element, `seen` whether it is in view, `groups` pairs of a
 * container with many children of a kind and the line's place among them, inner ones first; the
 * last two only where the page may not fit. With the head `…` it is a fold: `id` counts what is
 * left out, `tail` names it, `node` is where it begins and `seen` the element it is all in.
 */
export type Line = [
  depth: number,
  head: string,
  id: number,
  tail: string,
  node: number,
  seen: number,
  groups?: number[],
]

export type SnapshotReply =
  | {
      is: 'outline'
      title: string
      url: string
      loading: boolean
      lines: Line[]
      /** How many elements may hide a closed shadow root, or what they are. */
      suspects: number
      /** How many more could, with nothing that hints at it. */
      others: number
      /** How many slots there are that we know of. */
      slots: number
      /** How many elements have a handler for clicks in their markup. */
      handlers: number
    }
  | FrameReached
  | Failed

export interface FramePointRequest {
  id: number
  x: number
  y: number
  hit: boolean
  /** Only look: scroll nothing into view. */
  still: boolean
}

export type FramePointReply = { is: 'point'; x: number; y: number } | Failed

export interface ElementAtReply {
  element?: Named
  /** It is a frame: the point in that frame's viewport. */
  inner?: Offset
  /** What would run the script in its address if it were pressed there. */
  script?: Named
}

export interface KeyedReply {
  /** What would run the script in its address by that key. */
  script?: Named
  /** The frame that has the focus. */
  frame?: number
}

export interface DragReply {
  began: boolean
  taken?: boolean
}

export interface ChoicesRequest {
  id: number
  choices: string[]
  /** Whether it was opened already, so that it is worth waiting for. */
  opened: boolean
  timeout: number
  token: number
}

export type ChoicesReply =
  | { is: 'closed' }
  | { is: 'options'; click: Named[] }
  | { is: 'missing'; choice: string; options: string[]; typable: boolean }
  | { is: 'single' }

export interface ElementRequest {
  id: number
}

export interface InsertRequest {
  id: number
  /** Characters, each with the code of the key that makes it, if one does. */
  pieces: [text: string, code: string][]
}

export interface InsertReply {
  /** How many of them are in. */
  inserted: number
}

/** By the token of the call that filled it. */
export interface FilledRequest {
  token: number
}

export interface FieldValue {
  value: string
  length: number
  secret: boolean
  /** It is no longer on the page: nothing it holds is shown to anybody. */
  gone?: boolean
}

export interface Description {
  what: string
  /** What Chrome's accessibility tree would say, uncut; empty once it is gone. */
  role: string
  name: string
  connected: boolean
  similar: Named[]
}

export interface HeadRequest {
  /** Only once the document has loaded. */
  loaded?: boolean
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
  /** Over whom the button was let go, where the press was the element's and this was not. */
  releasedOver?: string
  /** `print`, or the names of permissions that were asked for and denied. */
  asked?: string[]
  copied?: Copied
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

/** Who listens for clicks: Chrome's ids of all, and of those handed over along with this. */
export interface ListenersRequest {
  ids: number[]
  fresh: number[]
}

export interface SuspectsRequest {
  /** Nobody has looked at the document: look for custom elements now. */
  search: boolean
  /** Also those that nothing hints at, if there are no more of them than this. */
  others: number
}

/** What Chrome says of elements, as attributes that would say it; by Chrome's ids. */
export interface InternalsRequest {
  ids: number[]
  told: [name: string, value: string][][]
}

export interface InternalsReply {
  /** Whether the outline may be another now. */
  news: boolean
  /** Ids of those that have something to tell. */
  again: number[]
}

export interface ContentRequest {
  what: 'html' | 'text' | 'links'
}

export interface DispatchRequest {
  query: Step[]
  event: string
  init: Record<string, unknown>
  timeout: number
  token: number
}

export type DispatchReply =
  | { is: 'sent'; element: Named; prevented: boolean }
  | FrameReached
  | Failed

export interface AddStyleRequest {
  content?: string
  href?: string
  /** Where the content came from: what its relative addresses mean. */
  base?: string
  timeout: number
}

export interface AddScriptRequest {
  src: string
  timeout: number
}

/** `blocked`: the page's policy forbids it; `failed`: it did not load. */
export interface AddReply {
  is: 'added' | 'blocked' | 'failed'
  /** The whole address. */
  url: string
}
