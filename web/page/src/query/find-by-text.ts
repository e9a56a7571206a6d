/**
 * Elements by the text they show, and whether a text is on the page at all.
 *
 * Descends only where the words are, which native `textContent` tells quickly, and looks at styles
 * only at the end of the way.
 */

import { textTransform, transformed } from '../aria/transform.ts'
import {
  data,
  documentElement,
  firstChild,
  isElement,
  isHtml,
  isText,
  localName,
  nextSibling,
  nodeContains,
  nodeType,
  parentNode,
  queryAll,
  type Root,
  textContent,
} from '../dom.ts'
import { isInput } from '../fields.ts'
import { isInline, type Scan } from '../scan.ts'
import { clean, fold } from '../text.ts'
import { isSeen } from '../visibility.ts'
import { type Found, rootsIn } from './find-by-step.ts'

/** The smallest elements whose text is, or else contains, this. */
export function findByText(scan: Scan, wanted: string, exact: boolean, scope: Root): Found {
  const text = fold(wanted)
  if (!text) return { elements: [], whole: true }
  const found = [scope, ...rootsIn(scan, scope)].flatMap((root) => [
    ...smallest(scan, text, root),
    ...buttonsWithValue(text, root),
  ])
  const whole = found.filter((element) =>
    exact ? isExactly(scan, element, clean(wanted)) : fold(shownText(scan, element)) === text,
  )
  if (exact || whole.length > 0) return { elements: whole, whole: true }
  return { elements: found, whole: false }
}

/** Whether a person can find a text on the page, perhaps by scrolling. */
export function isTextShown(scan: Scan, wanted: string): boolean {
  const text = fold(wanted)
  if (!text) return true
  return [scan.document, ...scan.shadowRoots()].some(
    (root) =>
      smallest(scan, text, root).some((element) => isSeen(scan.page, element)) ||
      buttonsWithValue(text, root).some((element) => isSeen(scan.page, element)),
  )
}

/** The text as written, or as a style sheet shows it. */
function isExactly(scan: Scan, element: Element, text: string): boolean {
  const own = shownText(scan, element)
  return own === text || transformed(own, textTransform(scan, element), element) === text
}

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'textarea'])
/** How many elements one search may look at. */
const LOOKS = 100_000
/** No higher than to a paragraph or two. */
const CLIMB_LIMIT = 1000

function smallest(scan: Scan, text: string, root: Root): Element[] {
  const words = text.split(' ')
  const found = new Set<Element>()
  if (!hasWords(root, words)) return []
  const stack: Root[] = [root]
  for (let looks = 0; stack.length > 0 && looks < LOOKS; looks += 1) {
    const at = stack.pop()!
    const before = stack.length
    for (let node = firstChild(at); node; node = nextSibling(node)) {
      if (isElement(node) && !UNREAD.has(localName(node)) && hasWords(node, words)) stack.push(node)
    }
    if (stack.length === before && isElement(at)) {
      const holder = holderOf(scan, at, text)
      if (holder) found.add(holder)
    } else {
      inDocumentOrder(stack, before)
    }
  }
  return [...found].filter((element) => !holdsOther(element, found))
}

/** An ancestor we climbed to is not the smallest if the text is also somewhere inside it. */
function holdsOther(element: Element, found: ReadonlySet<Element>): boolean {
  if (found.size > 200) return false
  for (const other of found) if (other !== element && nodeContains(element, other)) return true
  return false
}

/**
 * The element, or a near ancestor, that really shows the text: a hidden child may have all the
 * words while its parent shows them.
 */
function holderOf(scan: Scan, element: Element, text: string): Element | undefined {
  let at: Node | null = element
  for (let steps = 0; isElement(at) && steps < 3; steps += 1) {
    if (fold(shownText(scan, at)).includes(text)) return at
    at = parentNode(at)
    if (at && (textContent(at)?.length ?? 0) > CLIMB_LIMIT) return undefined
  }
  return undefined
}

/** What is pushed first comes off last. */
function inDocumentOrder(stack: Root[], from: number): void {
  const pushed = stack.splice(from)
  for (let at = pushed.length - 1; at >= 0; at -= 1) stack.push(pushed[at]!)
}

/** A quick no; a yes has to be checked. */
function hasWords(node: Root, words: readonly string[]): boolean {
  const whole = nodeType(node) === 9 ? documentElement(node as Document) : node
  const own = (whole ? (textContent(whole) ?? '') : '').toLowerCase()
  return words.every((word) => own.includes(word))
}

/** The text of an element's own tree as it is shown: hidden parts left out, blocks apart. */
function shownText(scan: Scan, element: Element): string {
  if (isInput(element)) return clean(element.value)
  // Of something hidden all its text counts: it may be asked whether it is hidden.
  const hidden = scan.style(element).display === 'none'
  let text = ''
  const stack: (Node | string)[] = [element]
  for (let looks = 0; stack.length > 0 && looks < LOOKS; looks += 1) {
    const node = stack.pop()!
    if (typeof node === 'string') text += node
    else if (isText(node)) text += data(node)
    else if (isElement(node) && !UNREAD.has(localName(node))) {
      if (isHtml(node, 'br')) text += ' '
      const { display } = scan.style(node)
      if (display === 'none' && !hidden) continue
      if (!isInline(display)) {
        text += ' '
        stack.push(' ')
      }
      const from = stack.length
      for (let child = firstChild(node); child; child = nextSibling(child)) stack.push(child)
      inDocumentOrder(stack as Root[], from)
    }
  }
  return clean(text)
}

function buttonsWithValue(text: string, root: Root): Element[] {
  const buttons = queryAll(root, 'input[type=submit],input[type=button],input[type=reset]')
  return Array.from(buttons).filter((button) =>
    fold((button as HTMLInputElement).value).includes(text),
  )
}
