/**
 * What came of an event: armed by `ready` before it is sent, asked by `settle` after.
 *
 * Listens on the window in the capture phase of our own world, where no page can see it.
 */

import { heedAction } from './asked.ts'
import { shadowRootsIn } from './dom.ts'
import { type Guard, guardPress } from './guard.ts'
import type { Purpose } from './messages.ts'
import type { Page } from './page-state.ts'
import { receiverOf } from './receiver.ts'
import { EVERYTHING } from './waiting.ts'

export interface Watch {
  readonly element: Element
  /** The element was made anew: this one is in its place. */
  follow(element: Element): void
  /** Whether the document changed since it was armed. */
  changed(): boolean
  /** Whether it changed since this was last asked. */
  changedSince(): boolean
  /** Something was changed by ourselves, without a trace in the DOM. */
  touch(): void
  /** Who received the event first. */
  receiver(): Element | undefined
  /** Over whom the button was let go last. */
  releasedOver(): Element | undefined
  /** Whether a press may have come to the document, seen by us or not. */
  mayHaveCome(): boolean
  /** Whether the real mouse has moved over this document. */
  moved(): boolean
  /** What drag and drop came of the press, where it is one that picks something up. */
  readonly drag: Drag | undefined
  /** Whether something was dropped on this document. */
  dropped(): boolean
  /** Keeps a press from reaching anything else. */
  readonly guard: Guard | undefined
  /** Called on each change or event. */
  onNoise: (() => void) | undefined
  end(): void
}

/** Drag and drop as the page has it; a page may do with pointer moves alone. */
export interface Drag {
  began: boolean
  /** Resolves when it has ended: whether what was dropped was taken. */
  readonly ended: Promise<boolean>
}

const PRESSED = [
  'pointerdown',
  'mousedown',
  'mouseup',
  'click',
  'keydown',
  'beforeinput',
  'input',
  'drop',
]
/** Each watched root has a price at every mutation. */
const WATCHED_ROOTS = 500
const MOVED = ['pointermove', 'mousemove', 'pointerover', 'mouseover']

/** `roots` are the shadow roots to watch besides the document. */
export function arm(
  page: Page,
  element: Element,
  purpose: Purpose,
  roots: readonly ShadowRoot[] = shadowRootsIn(page.document),
  accepts?: (receiver: Element) => boolean,
): Watch {
  page.watch?.end()
  heedAction(page)
  let changed = false
  let recent = false
  let receiver: Element | undefined
  let released: Element | undefined
  let dropped = false
  const events = purpose === 'hover' ? MOVED : PRESSED

  const noise = () => watch.onNoise?.()
  const touch = () => {
    changed = true
    recent = true
  }
  const seen = (records: MutationRecord[]) => {
    if (records.length === 0) return
    touch()
    noise()
  }
  const observer = new MutationObserver(seen)
  for (const root of [page.document, ...roots.slice(0, WATCHED_ROOTS)]) {
    observer.observe(root, EVERYTHING)
  }
  const heard = (event: Event) => {
    // A field's new value is a change of the page that no mutation tells of.
    if (event.type === 'input') {
      touch()
      noise()
    }
    dropped ||= event.type === 'drop' && event.isTrusted
    const target = receiverOf(event)
    if (event.type === 'mouseup' && event.isTrusted) {
      released = target ?? page.document.documentElement
    }
    if (receiver || !target) return
    receiver = target
    noise()
  }
  for (const name of events) page.window.addEventListener(name, heard, OPTIONS)
  const mouse = watchMouse(page)
  const guard = accepts ? guardPress(page, accepts) : undefined
  const drag = purpose === 'drag' ? watchDrag(page) : undefined

  let watched = element
  const watch: Watch = {
    get element() {
      return watched
    },
    follow(successor) {
      watched = successor
    },
    changed() {
      seen(observer.takeRecords())
      return changed
    },
    changedSince() {
      seen(observer.takeRecords())
      const answer = recent
      recent = false
      return answer
    },
    touch,
    receiver: () => receiver,
    releasedOver: () => released,
    mayHaveCome: page.presses.since(),
    moved: mouse.moved,
    drag: drag?.drag,
    dropped: () => dropped,
    guard,
    onNoise: undefined,
    end() {
      observer.disconnect()
      mouse.end()
      guard?.end()
      drag?.end()
      for (const name of events) page.window.removeEventListener(name, heard, OPTIONS)
      if (page.watch === watch) page.watch = undefined
    },
  }
  page.watch = watch
  // Whoever armed it may never ask.
  page.window.setTimeout(() => watch.end(), FORGOTTEN)
  return watch
}

/** Whether the real mouse moves over the document. */
function watchMouse(page: Page): { moved(): boolean; end(): void } {
  let moved = false
  const move = (event: Event) => {
    moved ||= event.isTrusted
  }
  page.window.addEventListener('mousemove', move, OPTIONS)
  return {
    moved: () => moved,
    end: () => page.window.removeEventListener('mousemove', move, OPTIONS),
  }
}

function watchDrag(page: Page): { drag: Drag; end(): void } {
  let end: (taken: boolean) => void = () => {}
  const ended = new Promise<boolean>((resolve) => {
    end = resolve
  })
  const drag = { began: false, ended }
  const begin = (event: DragEvent) => {
    // The page's own listeners come after this one, and may still prevent it.
    if (event.isTrusted) page.window.queueMicrotask(() => (drag.began ||= !event.defaultPrevented))
  }
  const finish = (event: DragEvent) => {
    if (event.isTrusted) end(event.dataTransfer?.dropEffect !== 'none')
  }
  page.window.addEventListener('dragstart', begin, OPTIONS)
  page.window.addEventListener('dragend', finish, OPTIONS)
  return {
    drag,
    end() {
      page.window.removeEventListener('dragstart', begin, OPTIONS)
      page.window.removeEventListener('dragend', finish, OPTIONS)
    },
  }
}

/** How long a watch that nobody asks about is kept up. */
const FORGOTTEN = 15_000

const OPTIONS = { capture: true, passive: true } as const
