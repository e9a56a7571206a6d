/**
 * One look at whether an element can be acted on, with the reason if it cannot.
 *
 * Done in one task with the hit test, so that what it says holds when the event arrives next.
 */

import { named } from '../describe.ts'
import {
  boundingBox,
  closest,
  flatParent,
  getAnimations,
  hasAttribute,
  isConnected,
  isFrame,
  isHtml,
  isInside,
} from '../dom.ts'
import { failed } from '../failed.ts'
import {
  isDisabled,
  isEditable,
  isInput,
  isReadOnly,
  isSecret,
  isSelect,
  isTextField,
  isToggle,
} from '../fields.ts'
import { isList } from '../lists.ts'
import type {
  Failed,
  FillPlan,
  FrameReached,
  Purpose,
  ReadyElement,
  ReadyRequest,
} from '../messages.ts'
import type { Page } from '../page-state.ts'
import { pickToChange } from '../query/resolve.ts'
import { createScan, type Scan } from '../scan.ts'
import { isRendered, isSeen } from '../visibility.ts'
import { arm } from '../watch.ts'
import { fileField, fileNeeds, isFileField } from './files.ts'
import { choose, type Filled, fill, isFillable, planToggle } from './fill.ts'
import { caretToEnd, focus, hasFocus, selectContent } from './focus.ts'
import { aim, type Hit, nameCover, receives } from './hit.ts'
import { scriptPressed } from './script-address.ts'
import { type Alignment, isInView, isStuck, scrollTo } from './scroll.ts'

/** What one look leaves for the next. */
export interface Memory {
  /** Where the element was, while it seems to move. */
  element: Element | undefined
  box: DOMRect | undefined
  /** When it was there. */
  at: number
  movingSince: number | undefined
  /** When its box was last seen to differ from the look before. */
  movedAt: number | undefined
}

/** `later`: not now, perhaps soon; `soon` asks for a look in the next frame. */
export type Look =
  | { is: 'over'; reply: ReadyElement | FrameReached | Failed }
  | { is: 'later'; reason: Failed; soon: boolean }

const MOVING_LIMIT = 1000
/** What turns round rests for a moment. */
const TURNING = 500
const SCROLL_REST = 80
/** Shorter than a frame at any usual rate, longer than a task. */
const FRAME = 7

export function look(page: Page, request: ReadyRequest, memory: Memory): Look {
  const scan = createScan(page)
  const picked = pickToChange(scan, request.query)
  if (picked.is === 'frame') return { is: 'over', reply: picked }
  if (picked.is === 'failed') {
    const final = picked.why !== 'not_found'
    return final ? { is: 'over', reply: picked } : later(picked)
  }
  const target = retarget(scan, picked.element, request)
  const problem = unusable(scan, target, request)
  if (problem) return problem
  return place(scan, target, request, picked.matched, memory)
}

function later(reason: Failed, soon = false): Look {
  return { is: 'later', reason, soon }
}

const TAKES_A_FIELD = new Set(['type', 'fill', 'check', 'select', 'focus', 'selectall'])

/** Typing at a label means its field. */
function retarget(scan: Scan, element: Element, request: ReadyRequest): Element {
  if (request.purpose === 'upload') return fileField(scan, element) ?? element
  if (!TAKES_A_FIELD.has(request.purpose)) return element
  return isHtml(element, 'label') ? (scan.labels.control(element) ?? element) : element
}

/** Reasons that do not depend on where the element is. */
function unusable(scan: Scan, target: Element, request: ReadyRequest): Look | undefined {
  const { purpose } = request
  const because = (why: 'disabled' | 'not_editable', detail?: string) =>
    later(failed(why, { element: named(scan, target), detail }))
  if (purpose === 'hover' || purpose === 'see') return undefined
  if (isDisabled(target)) return because('disabled')
  if (purpose === 'type') {
    if (isReadOnly(target)) return because('not_editable', 'it is read-only')
    if (!isTypable(target)) return because('not_editable', 'it is not a text field')
  }
  if (purpose === 'fill') {
    if (isReadOnly(target)) return because('not_editable', 'it is read-only')
    if (!isFillable(target) && !isList(scan, target))
      return because('not_editable', 'it is not a field')
  }
  if (purpose === 'check') {
    if (isReadOnly(target)) return because('not_editable', 'it is read-only')
    if (!isToggle(target)) return because('not_editable', 'it cannot be ticked')
  }
  if (purpose === 'select') {
    if (!isSelect(target) && !isList(scan, target))
      return because('not_editable', 'it is not a select')
    if (isReadOnly(target)) return because('not_editable', 'it is read-only')
  }
  return undefined
}

/** Dates and times take keys too. */
function isTypable(element: Element): boolean {
  if (isTextField(element) || isEditable(element)) return true
  return isInput(element) && /^(date|time|month|week|datetime-local)$/.test(element.type)
}

function place(
  scan: Scan,
  target: Element,
  request: ReadyRequest,
  matched: number,
  memory: Memory,
): Look {
  const { page } = scan
  // Most pages hide their file fields behind something prettier.
  if (request.purpose === 'upload' && isFileField(target)) {
    return finish(scan, target, request, matched, { is: 'hit', x: 0, y: 0 })
  }
  const pressed = needsPress(target, request)
  const label = pressed && worksByLabel(target) ? workingLabel(scan, target) : undefined
  if (!isRendered(page, target)) {
    // A hidden box can still be ticked by its label.
    if (label) return press(scan, label, target, request, matched, memory)
    return later(failed('not_visible', { element: named(scan, target) }))
  }
  if (!pressed) return reach(scan, target, request, matched, memory)
  const direct = press(scan, target, target, request, matched, memory)
  if (label && direct.is === 'later') {
    const through = press(scan, label, target, request, matched, memory)
    if (through.is === 'over') return through
  }
  return direct
}

/** Whether the mouse will be used: then the point has to be the element's. */
function needsPress(target: Element, request: ReadyRequest): boolean {
  if (PRESSES.has(request.purpose)) return true
  if (request.purpose === 'upload') return !isFileField(target)
  return (request.purpose === 'fill' || request.purpose === 'check') && isToggle(target)
}

const PRESSES = new Set<Purpose>(['click', 'hover', 'drag'])

function worksByLabel(target: Element): boolean {
  return isToggle(target) || (isInput(target) && target.type === 'file')
}

function workingLabel(scan: Scan, target: Element): Element | undefined {
  return scan.labels.of(target).find((label) => isSeen(scan.page, label))
}

function centre(target: Element): Hit {
  const box = boundingBox(target)
  return { is: 'hit', x: box.left + box.width / 2, y: box.top + box.height / 2 }
}

/**
 * For keys, which need no point: it has to lie as open as for the mouse all the same. A person would
 * not write into a field under a dialog.
 */
function reach(
  scan: Scan,
  target: Element,
  request: ReadyRequest,
  matched: number,
  memory: Memory,
): Look {
  const { page } = scan
  // Nobody could point at what is transparent, tiny or clipped away; it is there for keys only.
  if (request.purpose === 'see' || !isSeen(page, target)) {
    if (!isInView(page, target, request.position)) scrollTo(target, 'center')
    return finish(scan, target, request, matched, centre(target))
  }
  const shot = shoot(scan, target, target, request, memory)
  if (shot.is !== 'hit') return shot
  return finish(scan, target, request, matched, { ...shot, tested: true })
}

/** Aims at `at`, which is `target` or its label, and has it pressed. */
function press(
  scan: Scan,
  at: Element,
  target: Element,
  request: ReadyRequest,
  matched: number,
  memory: Memory,
): Look {
  const shot = shoot(scan, at, target, request, memory)
  if (shot.is !== 'hit') return shot
  const tested = { ...shot, tested: true }
  return finish(scan, target, request, matched, tested, receiverOf(shot, at))
}

const ALIGNMENTS: readonly Alignment[] = ['center', 'end', 'start']

/** Where `at` is hit once it rests, scrolling to it if it must. */
function shoot(
  scan: Scan,
  at: Element,
  target: Element,
  request: ReadyRequest,
  memory: Memory,
): Hit | Look {
  const { page } = scan
  const position = at === target ? request.position : undefined
  if (!isInView(page, at, position)) scrollTo(at, 'center')
  const moving = isMoving(page, at, memory)
  let shot = aim(scan, at, position)
  if (shot.is === 'covered' && isStuck(page, shot.by)) {
    // A bar that stays while the page scrolls: the element fits beside it.
    for (const alignment of ALIGNMENTS) {
      scrollTo(at, alignment)
      const next = aim(scan, at, position)
      if (next.is === 'hit') {
        shot = next
        break
      }
    }
  }
  if (shot.is === 'hit' ? moving && !moving.long : moving || hasJustMoved(page, at, memory)) {
    return later(failed('moving', { element: named(scan, target) }), true)
  }
  switch (shot.is) {
    case 'covered': {
      // What is hit around it is not on top of it: it is clipped away or lets events through.
      if (isInside(target, shot.by)) {
        if (!needsPress(target, request) && !isInert(target)) return centre(target)
        return later(failed('not_visible', { element: named(scan, target) }))
      }
      const detail = nameCover(scan, shot.by, target)
      return later(failed('covered', { element: named(scan, target), detail }))
    }
    case 'outside':
      return later(failed('outside_viewport', { element: named(scan, target) }))
    default:
      return shot
  }
}

function isInert(element: Element): boolean {
  for (let at: Element | null = element, steps = 0; at && steps < 1000; steps += 1) {
    if (hasAttribute(at, 'inert')) return true
    at = flatParent(at)
  }
  return false
}

/** Who takes the press for `at`: itself, or the label that lies over it. */
function receiverOf(shot: Hit, at: Element): Element {
  if (!shot.top || isInside(shot.top, at)) return at
  return closest(shot.top, 'label') ?? shot.top
}

/** Whether its box has not come to rest, as far as there is a reason to doubt it. */
function isMoving(page: Page, at: Element, memory: Memory): { long: boolean } | undefined {
  const now = page.window.performance.now()
  const box = boundingBox(at)
  // Two looks within a frame see the same box, whatever moves.
  const apart = now - memory.at >= FRAME
  const before = memory.element === at && apart ? memory.box : undefined
  memory.element = at
  memory.box = box
  memory.at = now
  const reason = isAnimated(at) || now - page.lastScroll < SCROLL_REST
  const rests = before
    ? before.x === box.x &&
      before.y === box.y &&
      before.width === box.width &&
      before.height === box.height
    : !reason
  if (before && !rests) memory.movedAt = now
  if (rests) {
    memory.movingSince = undefined
    return undefined
  }
  memory.movingSince ??= now
  return { long: now - memory.movingSince >= MOVING_LIMIT }
}

/** Whether a rest is only the turn of something that goes to and fro. */
function hasJustMoved(page: Page, at: Element, memory: Memory): boolean {
  if (memory.movedAt === undefined) return false
  const since = page.window.performance.now() - memory.movedAt
  return since < TURNING || (since < 6 * TURNING && isAnimated(at))
}

function isAnimated(element: Element): boolean {
  for (let at: Element | null = element, steps = 0; at && steps < 200; steps += 1) {
    for (const animation of getAnimations(at)) {
      if (animation.playState === 'running' || animation.pending) return true
    }
    at = flatParent(at)
  }
  return false
}

function presses(target: Element, request: ReadyRequest): boolean {
  return request.purpose !== 'hover' && needsPress(target, request)
}

/** Whether the press follows links and sends forms. */
function follows(target: Element, request: ReadyRequest): boolean {
  if (request.purpose === 'upload') return !isFileField(target)
  return request.purpose === 'click' && !request.aside
}

/**
 * Who may receive the press: the element, what is in it, or what acts for it. A list that is made
 * anew between the look and the press has another element there by then: it is the one that was
 * asked for if the same words find it.
 */
function acceptsFor(page: Page, target: Element, pressedAt: Element, request: ReadyRequest) {
  const isFor = (receiver: Element, wanted: Element) =>
    isInside(receiver, wanted) || receives(createScan(page), receiver, wanted)
  return (receiver: Element) => {
    if (follows(target, request) && scriptPressed(createScan(page), receiver)) return false
    if (isInside(receiver, pressedAt) || isFor(receiver, target)) return true
    if (isConnected(target)) return false
    const successor = pickToChange(createScan(page), request.query)
    if (successor.is !== 'one' || !isFor(receiver, successor.element)) return false
    page.watch?.follow(successor.element)
    return true
  }
}

function fillAny(scan: Scan, target: Element, request: ReadyRequest): Filled {
  const value = request.value ?? ''
  if (isToggle(target)) return planToggle(target, value)
  if (!isFillable(target)) return { is: 'plan', plan: 'list' }
  return fill(scan.page, target, value, request.inPlace ?? false)
}

/** Everything holds: focus or fill as asked, arm the watch, answer. */
function finish(
  scan: Scan,
  target: Element,
  request: ReadyRequest,
  matched: number,
  point: Hit,
  pressedAt: Element = target,
): Look {
  const { page } = scan
  const top = point.top ?? pressedAt
  const script = follows(target, request) ? scriptPressed(scan, top) : undefined
  if (script) return { is: 'over', reply: failed('script', { element: named(scan, script) }) }
  const element = named(scan, target)
  const through = pressedAt === target ? undefined : named(scan, pressedAt).what
  if (request.dry) {
    const { x, y, tested } = point
    return { is: 'over', reply: { is: 'ready', ...element, x, y, matched, tested } }
  }
  if (request.purpose !== 'see') {
    const accepts = presses(target, request)
      ? acceptsFor(page, target, pressedAt, request)
      : undefined
    arm(page, target, request.purpose, scan.shadowRoots(), accepts)
  }
  let plan: FillPlan | undefined
  if (request.purpose === 'fill' || request.purpose === 'check') {
    const filled = fillAny(scan, target, request)
    if (filled.is === 'failed') return { is: 'over', reply: { ...filled, element } }
    plan = filled.plan
  } else if (request.purpose === 'select') {
    const chosen = isSelect(target)
      ? choose(page, target, request.choices ?? [], true)
      : ({ is: 'plan', plan: 'list' } as const)
    if (chosen.is === 'failed') return { is: 'over', reply: { ...chosen, element } }
    plan = chosen.plan
  } else if (request.purpose === 'focus') {
    focus(target)
  } else if (request.purpose === 'selectall') {
    focus(target)
    selectContent(page, target)
  } else if (request.purpose === 'type') {
    focus(target)
    if (request.replace) selectContent(page, target)
    else caretToEnd(page, target)
  }
  if (plan === 'done') page.watch?.touch()
  // What a field did with its text may be to go away: it has had it all the same.
  const put = plan === 'done' && isTextField(target)
  if (put) page.filled = { token: request.token, element: new WeakRef(target) }
  if (!put && !isConnected(target)) {
    // A focus handler replaced the field; what took its place comes next.
    return later(failed('not_found'), true)
  }
  const files = request.purpose === 'upload' ? fileNeeds(scan, target) : undefined
  const { x, y } = point
  const unfocused = request.purpose === 'focus' && !hasFocus(page, target)
  const frame = follows(target, request) && isFrame(top)
  const { tested } = point
  const secret = isSecret(page, target)
  const told = { x, y, matched, through, tested, fill: plan, unfocused, files, frame, secret }
  return { is: 'over', reply: { is: 'ready', ...element, ...told } }
}
