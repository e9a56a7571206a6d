/**
 * File inputs and toggles that are not rendered but that a visible label or button works.
 */

import { isHtml, queryAll } from '../dom.ts'
import { classify, makeNode } from './classify.ts'
import type { ElementNode } from './outline.ts'
import { flush } from './text-run.ts'
import type { Sight, Surroundings, Walk } from './walk.ts'

const UNSEEN: Sight = { content: false, box: () => false }

/** Adds those in a part of the page that is not rendered. */
export function listOpeners(
  state: Walk,
  element: Element,
  around: Surroundings,
  into: ElementNode,
): void {
  const own = isHtml(element, 'input')
  if (!own && !state.hasFiles) return
  const inputs = own ? [element] : queryAll(element, 'input[type=file]')
  let left = 20
  for (const input of inputs) {
    if (left-- <= 0) return
    const found = classify(state, input, state.scan.style(input), around, UNSEEN)
    if (!found) continue
    flush(state, into)
    const node = makeNode(state, input, { ...found, unseen: true })
    node.source = input
    state.chars += node.role.length + node.name.length + 20
    into.children.push(node)
  }
}
