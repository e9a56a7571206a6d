/**
 * Who received an event first.
 *
 * Outside a closed shadow root an event names only its host; where in it the event went is told by
 * the point under the mouse, or by who has the keyboard.
 */

import {
  closedRoot,
  elementAt,
  focusedElement,
  isElement,
  isInside,
  ownerDocument,
  parentNode,
} from './dom.ts'

export function receiverOf(event: Event): Element | undefined {
  const target = event.composedPath()[0]
  if (!target || !('nodeType' in target)) return undefined
  const node = target as Node
  const parent = isElement(node) ? node : parentNode(node)
  if (!isElement(parent)) return undefined
  return closedRoot(parent) ? behind(event, parent) : parent
}

function behind(event: Event, host: Element): Element {
  const document = ownerDocument(host)
  if (!document) return host
  const inner =
    'clientX' in event
      ? elementAt(document, (event as MouseEvent).clientX, (event as MouseEvent).clientY)
      : focusedElement(document)
  return inner && isInside(inner, host) ? inner : host
}
