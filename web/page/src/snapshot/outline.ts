/**
 * The outline as a tree, between the walk that finds it and the printing that shows it.
 *
 * `finish` settles a node once all its content is known: which nodes vanish, which give way to
 * their only child, which take their text as a name. Knows nothing of the DOM.
 */

import { NAME_LIMIT } from '../text.ts'

/** Where a line comes from; nothing here looks into it. */
export type Source = Element | undefined

export interface TextNode {
  kind: 'text'
  text: string
  source?: Source
}

/** A line of ours that stands for what was left out and cannot be opened. */
export interface FoldNode {
  kind: 'fold'
  text: string
}

/** What was counted, not walked: all of `within` from `start` on. */
export interface RestNode {
  kind: 'rest'
  count: number
  noun: 'rows' | 'items' | 'characters'
  start: Element
  within: Element
}

export interface ElementNode {
  kind: 'element'
  role: string
  /** Cleaned and cut. */
  name: string
  /** The page's number of the element; 0 without a ref, negative for a frame. */
  id: number
  value: string
  states: string[]
  address: string
  children: OutlineNode[]
  /** Only the shape of the mouse pointer, or a listener, says that it can be clicked. */
  byPointer: boolean
  /** The name says all there is: text below it is not printed again. */
  named: boolean
  source?: Source
  /** For a row: its cells' text, `undefined` for one with lines of its own. */
  cells?: (string | undefined)[]
}

export type OutlineNode = ElementNode | TextNode | FoldNode | RestNode

export function elementNode(role: string): ElementNode {
  return {
    kind: 'element',
    role,
    name: '',
    id: 0,
    value: '',
    states: [],
    address: '',
    children: [],
    byPointer: false,
    named: false,
  }
}

/** From this many items on a list says how many it has. */
const COUNTED_ITEMS = 20

const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])

/** Leaves that say something by being there. */
const SPEAKS_ALONE = new Set([
  'progressbar',
  'meter',
  'iframe',
  'canvas',
  'video',
  'audio',
  'embeddedobject',
])

/** What stands in the outline for a node whose content is complete: itself, less, or nothing. */
export function finish(node: ElementNode): OutlineNode[] {
  if (node.role === 'row') return finishRow(node)
  if (CELLS.has(node.role)) return [node]
  if (node.role === 'list') countItems(node)
  takeName(node)
  const { children } = node
  const only = children.length === 1 ? children[0]! : undefined
  const bare = !node.id && !node.name && node.states.length === 0 && !node.value
  if (children.length === 0 && bare && !SPEAKS_ALONE.has(node.role)) return []
  if (node.role === 'image' && !node.id && !node.name) return children
  if (only?.kind === 'element') {
    if (node.role === 'listitem' && bare) return [only]
    // The hand reaches from a box to the one control in it: that control is what is clicked.
    if (node.byPointer && only.id > 0 && !node.name && node.states.length === 0) return [only]
  }
  return [node]
}

/** A node with a ref and nothing but text in it is named by that text. */
function takeName(node: ElementNode): void {
  if (!node.id || node.name || node.value) return
  if (node.children.length === 0 || !node.children.every((child) => child.kind === 'text')) return
  const text = textOf(node)
  if (text.length > NAME_LIMIT && node.children.length > 1) return
  node.name = text
  node.children = []
  node.named = true
}

function textOf(node: ElementNode): string {
  return node.children.map((child) => (child.kind === 'text' ? child.text : '')).join(' ')
}

function countItems(node: ElementNode): void {
  let items = 0
  for (const child of node.children) {
    if (child.kind === 'element') items += 1
    else if (child.kind === 'rest') items += child.count
  }
  if (items >= COUNTED_ITEMS) node.states.unshift(`${items} items`)
}

function finishRow(node: ElementNode): OutlineNode[] {
  const cells: (string | undefined)[] = []
  const below: OutlineNode[] = []
  let said = false
  for (const child of node.children) {
    if (child.kind !== 'element' || !CELLS.has(child.role)) {
      below.push(child)
      continue
    }
    const plain = !child.id && child.states.length === 0
    if (plain && child.children.every((inner) => inner.kind === 'text')) {
      const text = textOf(child) || child.name
      said ||= text !== ''
      cells.push(text)
      continue
    }
    said = true
    cells.push(undefined)
    for (const inner of plain ? child.children : finishCell(child)) below.push(inner)
  }
  node.children = below
  if (cells.length > 0) node.cells = cells
  return said || below.length > 0 || node.id ? [node] : []
}

/** A cell that can be acted on has its own line. */
function finishCell(cell: ElementNode): OutlineNode[] {
  takeName(cell)
  return [cell]
}
