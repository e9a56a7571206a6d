/**
 * The outline as lines, in the grammar of the contract. Pure functions.
 */

import type { Line } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { cut, quote, TEXT_LIMIT, VALUE_LIMIT } from '../text.ts'
import type { ElementNode, OutlineNode, Source } from './outline.ts'

/** Numbers the elements lines come from. */
type Numbers = Pick<Page, 'idOf'>

/** Deeper nodes are printed at this level: no page needs more, and some have thousands. */
const LEVELS = 24

/** The lines of some nodes, at most `maxDepth` levels of them; `sources` is told whose each is. */
export function printLines(
  numbers: Numbers,
  nodes: readonly OutlineNode[],
  maxDepth: number,
  sources: Source[] = [],
): Line[] {
  const lines: Line[] = []
  const stack: { nodes: readonly OutlineNode[]; at: number }[] = [{ nodes, at: 0 }]
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    const node = top.nodes[top.at++]
    if (!node) {
      stack.pop()
      continue
    }
    const depth = Math.min(stack.length, LEVELS) - 1
    const inline = node.kind === 'element' ? inlineText(node) : undefined
    lines.push(lineOf(numbers, node, depth, inline))
    sources.push(node.kind === 'element' || node.kind === 'text' ? node.source : undefined)
    if (node.kind === 'element' && inline === undefined && node.children.length > 0) {
      if (stack.length < maxDepth) stack.push({ nodes: node.children, at: 0 })
    }
  }
  return lines
}

export function headOf(node: ElementNode): string {
  return node.name ? `${node.role} ${quote(node.name)}` : node.role
}

/** The text of a node without a ref whose whole content is one run of text. */
function inlineText(node: ElementNode): string | undefined {
  const only = node.children.length === 1 ? node.children[0]! : undefined
  if (only?.kind !== 'text' || node.id || node.cells || node.value) return undefined
  return only.text
}

function lineOf(
  numbers: Numbers,
  node: OutlineNode,
  depth: number,
  inline: string | undefined,
): Line {
  const from = (element: Element | undefined) => (element ? numbers.idOf(element) : 0)
  switch (node.kind) {
    case 'text':
      return [depth, quote(cut(node.text, TEXT_LIMIT)), 0, '', from(node.source), 0]
    case 'fold':
      return [depth, node.text, 0, '', 0, 0]
    case 'rest':
      return [depth, '…', node.count, node.noun, from(node.start), from(node.within)]
    default:
      return [depth, headOf(node), node.id, tailOf(node, inline), from(node.source), 0]
  }
}

export function tailOf(node: ElementNode, inline: string | undefined): string {
  let tail = ''
  if (node.value) tail += ` = ${quote(cut(node.value, VALUE_LIMIT))}`
  if (node.states.length > 0) tail += ` [${node.states.join(', ')}]`
  if (node.address) tail += ` ${node.address}`
  if (node.cells) tail += `: ${node.cells.map(cellText).join(' | ')}`
  else if (inline !== undefined) tail += `: ${quote(cut(inline, TEXT_LIMIT))}`
  return tail
}

function cellText(cell: string | undefined): string {
  return cell === undefined ? '*' : quote(cut(cell, TEXT_LIMIT))
}
