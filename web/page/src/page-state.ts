/**
 * What this code remembers about one document: numbers of elements, waits, the armed watch.
 *
 * One object per window, made by `createPage`. Nothing of it is in the page: weak references keep
 * no element alive, and no attribute marks one.
 */

import type { Copied } from './belongings.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createPresses, type Presses } from './presses.ts'
import { createHosts, type Hosts } from './snapshot/hosts.ts'
import { createStrangers, type Strangers } from './snapshot/strangers.ts'
import type { Watch } from './watch.ts'

/** How many gone elements we can still say something about. */
const REMEMBERED = 20_000

export interface Page {
  readonly window: Window & typeof globalThis
  readonly document: Document
  /** The number of an element; the same for as long as it lives. */
  idOf(element: Element): number
  /** The element of a number, connected or not; undefined once it was collected. */
  elementOf(id: number): Element | undefined
  /** Whether that number was ever given. */
  known(id: number): boolean
  /** How an element was last named, told even after it is gone. */
  remember(id: number, what: string): void
  recall(id: number): string | undefined
  /** Password fields stay secret when a page turns them into text to show them. */
  readonly secrets: WeakSet<Element>
  /** Elements that may hide a closed shadow root. */
  readonly hosts: Hosts
  /** Custom elements that may say of themselves what no script can read. */
  readonly strangers: Strangers
  /** Elements on which the page listens for clicks. */
  readonly listeners: Listeners
  /** Which presses came here. */
  readonly presses: Presses
  /** Running waits by token; calling one ends it. */
  readonly waits: Map<number, () => void>
  /** Tokens that were cancelled before their wait began. */
  readonly cancelled: Set<number>
  /** When something last scrolled, in `performance.now()` time. */
  lastScroll: number
  /** Lists that were shown before one was opened: not the one that belongs to what opens it. */
  shownBefore: WeakSet<Element>
  /** What the last `ready` armed. */
  watch: Watch | undefined
  /** Into which element `insert` puts text, and where the page has led the keyboard from there. */
  insertion: { id: number; at: WeakRef<Element> } | undefined
  /** The field that `fill` put its text into last, and the call it was. */
  filled: { token: number; element: WeakRef<Element> } | undefined
  /** What the page asked a person for and nobody has been told, once `heed` listens. */
  asked: string[] | undefined
  /** Somebody has acted on this document: what it asks for from now on may come of that. */
  acted: boolean
  /** What was last copied and nobody has taken. */
  copied: Copied | undefined
  /** The key that pastes, once it was pressed here. */
  pasteKey: KeyboardEvent | undefined
}

export function createPage(window: Window & typeof globalThis): Page {
  const ids = new WeakMap<Element, number>()
  const elements = new Map<number, WeakRef<Element>>()
  const names = new Map<number, string>()
  let last = 0

  const page: Page = {
    window,
    // A window can get another document: the first one's place is taken by that of its address.
    get document() {
      return window.document
    },
    idOf(element) {
      let id = ids.get(element)
      if (id === undefined) {
        id = ++last
        ids.set(element, id)
        elements.set(id, new WeakRef(element))
      }
      return id
    },
    elementOf: (id) => elements.get(id)?.deref(),
    known: (id) => id > 0 && id <= last,
    remember(id, what) {
      names.delete(id)
      names.set(id, what)
      if (names.size > REMEMBERED) forgetOldest(names, elements)
    },
    recall: (id) => names.get(id),
    secrets: new WeakSet(),
    hosts: createHosts(),
    strangers: createStrangers(),
    listeners: createListeners(),
    presses: createPresses(window),
    waits: new Map(),
    cancelled: new Set(),
    lastScroll: Number.NEGATIVE_INFINITY,
    shownBefore: new WeakSet(),
    watch: undefined,
    insertion: undefined,
    filled: undefined,
    asked: undefined,
    acted: false,
    copied: undefined,
    pasteKey: undefined,
  }
  keepSecrets(window, page.secrets)
  window.addEventListener(
    'scroll',
    () => {
      page.lastScroll = window.performance.now()
    },
    { capture: true, passive: true },
  )
  return page
}

/** Notices password fields that the page turns into text, also when no snapshot saw them before. */
function keepSecrets(window: Window & typeof globalThis, secrets: WeakSet<Element>): void {
  const observer = new MutationObserver((records) => {
    for (const { target, oldValue } of records) {
      if (oldValue?.toLowerCase() === 'password') secrets.add(target as Element)
    }
  })
  observer.observe(window.document, {
    subtree: true,
    attributeFilter: ['type'],
    attributeOldValue: true,
  })
}

/** Drops the quarter named longest ago. */
function forgetOldest(names: Map<number, string>, elements: Map<number, WeakRef<Element>>): void {
  let left = REMEMBERED / 4
  for (const id of names.keys()) {
    if (left-- <= 0) break
    names.delete(id)
    // An element out of the document may come back under its number; a collected one cannot.
    if (!elements.get(id)?.deref()) elements.delete(id)
  }
}
