/**
 * One step of a query: the elements in a scope that it matches, in document order.
 *
 * Open shadow roots in the scope are searched each for themselves; a selector never reaches across
 * their border. Where whole matches exist, partial ones do not count.
 */

import { labelOf, nameOf } from '../aria/name.ts'
import { roleOf } from '../aria/roles.ts'
import { printedRole } from '../describe.ts'
import {
  attribute,
  evaluateXPath,
  isElement,
  isInside,
  nodeType,
  parentNode,
  queryAll,
  type Root,
  shadowRootsIn,
} from '../dom.ts'
import type { Step } from '../messages.ts'
import type { Scan } from '../scan.ts'
import { clean, fold } from '../text.ts'
import { findByText } from './find-by-text.ts'

/** Elements, and whether the words are all that was looked at in them, not only a part of it. */
export interface Found {
  elements: Element[]
  whole: boolean
}

export function findByStep(scan: Scan, step: Step, scope: Root): Found {
  switch (step.by) {
    case 'css':
      return wholly(select(scan, scope, step.value))
    case 'xpath':
      return wholly(byXPath(scan, step.value, scope))
    case 'testid':
      return wholly(select(scan, scope, `[data-testid=${CSS.escape(step.value)}]`))
    case 'text':
      return findByText(scan, step.value, step.exact, scope)
    case 'role':
      return byRole(scan, step.role, step.name ?? undefined, step.exact, scope)
    case 'label':
      return byLabel(scan, step.value, step.exact, scope)
    case 'placeholder':
    case 'alt':
    case 'title':
      return byAttribute(scan, step.by, step.value, step.exact, scope)
    default:
      return wholly([])
  }
}

function wholly(elements: Element[]): Found {
  return { elements, whole: true }
}

function select(scan: Scan, scope: Root, selector: string): Element[] {
  const found = Array.from(queryAll(scope, selector))
  for (const root of rootsIn(scan, scope)) {
    for (const element of queryAll(root, selector)) found.push(element)
  }
  return found
}

/** The open shadow roots in a scope. */
export function rootsIn(scan: Scan, scope: Root): ShadowRoot[] {
  return scope === scan.document ? scan.shadowRoots() : shadowRootsIn(scope)
}

function byXPath(scan: Scan, expression: string, scope: Root): Element[] {
  const snapshot = 7
  const result = evaluateXPath(scan.document, expression, scope, null, snapshot)
  const found = new Set<Element>()
  for (let at = 0; at < result.snapshotLength; at += 1) {
    const node = result.snapshotItem(at)!
    const element = nodeType(node) === 2 ? (node as Attr).ownerElement : node
    const holder = isElement(element) ? element : element && parentNode(element)
    if (!isElement(holder)) continue
    // `//a` always starts at the document, also in a scope.
    if (nodeType(scope) !== 1 || isInside(holder, scope as Element)) found.add(holder)
  }
  return [...found]
}

/** Whole matches if there are any, else those that contain the text. */
export function best(
  elements: Iterable<Element>,
  wanted: string,
  exact: boolean,
  textOf: (element: Element) => string,
): Found {
  const whole: Element[] = []
  const partial: Element[] = []
  const text = exact ? clean(wanted) : fold(wanted)
  for (const element of elements) {
    const own = exact ? clean(textOf(element)) : fold(textOf(element))
    if (own === text) whole.push(element)
    else if (!exact && text && own.includes(text)) partial.push(element)
  }
  return whole.length > 0 ? wholly(whole) : { elements: partial, whole: false }
}

const SAME_ROLE: Record<string, string> = { img: 'image', presentation: 'none', directory: 'list' }

function byRole(
  scan: Scan,
  role: string,
  name: string | undefined,
  exact: boolean,
  scope: Root,
): Found {
  const asked = role.toLowerCase()
  const wanted = SAME_ROLE[asked] ?? asked
  const ours = wanted === 'clickable' || wanted === 'generic' || wanted === 'textbox'
  const found = select(scan, scope, '*').filter((element) =>
    ours ? printedRole(scan, element) === wanted : roleOf(scan, element) === wanted,
  )
  if (name === undefined) return wholly(found)
  return best(found, name, exact, (element) => nameOf(scan, element))
}

const LABELLED =
  'input:not([type=hidden]),textarea,select,button,meter,output,progress,[aria-label],[aria-labelledby]'

function byLabel(scan: Scan, value: string, exact: boolean, scope: Root): Found {
  return best(select(scan, scope, LABELLED), value, exact, (element) => labelOf(scan, element))
}

function byAttribute(scan: Scan, name: string, value: string, exact: boolean, scope: Root): Found {
  return best(
    select(scan, scope, `[${name}]`),
    value,
    exact,
    (element) => attribute(element, name) ?? '',
  )
}
