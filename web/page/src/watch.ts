/**
 * What came of an event: armed by `ready` before it is sent, asked by `settle` after.
 *
 * Listens on the window in the capture phase of our own world, where no page can see it.
 */

import { isElement, isInside, parentNode, shadowRootsIn } from './dom.ts'
import { type Guard, guardPress } from './guard.ts'
import type { Purpose } from './messages.ts'
import type { Page } from './page-state.ts'
import { EVERYTHING } from './waiting.ts'

export interface Watch {
  readonly element: Element
  /** Whether the document changed since it was armed. */
  changed(): boolean
  /** Whether it changed since this was last asked. */
  changedSince(): boolean
  /** Something was changed by ourselves, without a trace in the DOM. */
  touch(): void
  /** Who received the event first. */
  receiver(): Element | undefined
  /** Whether the real mouse has moved over this document. */
  moved(): boolean
  /** Keeps a press from reaching anything else. */
  readonly guard: Guard | undefined
  /** Called on each change or event. */
  onNoise: (() => void) | undefined
  end(): void
}

const PRESSED = ['pointerdown', 'mousedown', 'click', 'keydown', 'beforeinput', 'input']
/** Each watched root has a price at every mutation. */
const WATCHED_ROOTS = 500
const MOVED = ['pointermove', 'mousemove', 'pointerover', 'mouseover']

/** `roots` are the open shadow roots to watch besides the document. */
export function arm(
  page: Page,
  element: Element,
  purpose: Purpose,
  roots: readonly ShadowRoot[] = shadowRootsIn(page.document),
  accepts?: (receiver: Element) => boolean,
): Watch {
  page.watch?.end()
  let changed = false
  let recent = false
  let receiver: Element | undefined
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
    const target = event.composedPath()[0] as Node | undefined
    // Pressed here and let go elsewhere, the click is somebody else's.
    if (event.type === 'click' && event.isTrusted && target && 'nodeType' in target) {
      if (!isInside(target, element)) receiver = nearestElement(target)
    }
    if (receiver || !target || !('nodeType' in target)) return
    receiver = nearestElement(target)
    noise()
  }
  for (const name of events) page.window.addEventListener(name, heard, OPTIONS)
  let moved = false
  const move = (event: Event) => {
    moved ||= event.isTrusted
  }
  page.window.addEventListener('mousemove', move, OPTIONS)
  const guard = accepts ? guardPress(page, accepts) : undefined

  const watch: Watch = {
    element,
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
    moved: () => moved,
    guard,
    onNoise: undefined,
    end() {
      observer.disconnect()
      page.window.removeEventListener('mousemove', move, OPTIONS)
      guard?.end()
      for (const name of events) page.window.removeEventListener(name, heard, OPTIONS)
      if (page.watch === watch) page.watch = undefined
    },
  }
  page.watch = watch
  // Whoever armed it may never ask.
  page.window.setTimeout(() => watch.end(), FORGOTTEN)
  return watch
}

function nearestElement(node: Node): Element | undefined {
  if (isElement(node)) return node
  const parent = parentNode(node)
  return isElement(parent) ? parent : undefined
}

/** How long a watch that nobody asks about is kept up. */
const FORGOTTEN = 15_000

const OPTIONS = { capture: true, passive: true } as const
