/** Unit tests of `print.ts`. */

import { expect, test } from 'vitest'
import { type ElementNode, elementNode, finish, type OutlineNode } from './outline.ts'
import { printLines } from './print.ts'

const NUMBERS = { idOf: () => 0 }

function node(role: string, more: Partial<ElementNode> = {}): ElementNode {
  return { ...elementNode(role), ...more }
}

function text(value: string): OutlineNode {
  return { kind: 'text', text: value }
}

/** The lines as the engine prints them. */
function printed(nodes: OutlineNode[], maxDepth = 24): string[] {
  return printLines(NUMBERS, nodes, maxDepth).map(
    ([depth, head, id, tail]) => `${'  '.repeat(depth)}${head}${id > 0 ? ` e${id}` : ''}${tail}`,
  )
}

test('a field shows its name, ref, value and states in this order', () => {
  const field = node('textbox', { name: 'Email', id: 1, value: 'a@b.c', states: ['required'] })
  expect(printed([field])).toEqual(['textbox "Email" e1 = "a@b.c" [required]'])
})

test('a link ends with its address', () => {
  const link = node('link', { name: 'Home', id: 3, states: ['current'], address: '/home' })
  expect(printed([link])).toEqual(['link "Home" e3 [current] /home'])
})

test('a single run of text stands behind its element, several below it', () => {
  expect(printed([node('listitem', { children: [text('Milk')] })])).toEqual(['listitem: "Milk"'])
  expect(printed([node('blockquote', { children: [text('a'), text('b')] })])).toEqual([
    'blockquote',
    '  "a"',
    '  "b"',
  ])
})

test('an element with a ref never has text behind it', () => {
  const box = node('generic', { id: 4, name: 'x', children: [text('inside')] })
  expect(printed([box])).toEqual(['generic "x" e4', '  "inside"'])
})

test('a row shows its cells and what is in them one level deeper', () => {
  const row = node('row', {
    children: [
      node('cell', { children: [text('1')] }),
      node('cell', { children: [node('link', { name: 'Edit', id: 5, address: '/e' })] }),
      node('cell'),
    ],
  })
  expect(printed(finish(row))).toEqual(['row: "1" | * | ""', '  link "Edit" e5 /e'])
})

test('a cell that can be acted on has its own line', () => {
  const cell = node('gridcell', { id: 6, children: [text('12')] })
  expect(printed(finish(node('row', { children: [cell] })))).toEqual([
    'row: *',
    '  gridcell "12" e6',
  ])
})

test('an empty row, list or group vanishes', () => {
  for (const role of ['list', 'group', 'paragraph', 'separator', 'heading']) {
    expect(finish(node(role))).toEqual([])
  }
  expect(finish(node('row', { children: [node('cell')] }))).toEqual([])
})

test('an item that holds one element gives way to it', () => {
  const button = node('button', { name: 'Eggs', id: 7 })
  expect(finish(node('listitem', { children: [button] }))).toEqual([button])
})

test('a box under the hand gives way to the one control in it', () => {
  const link = node('link', { name: 'Only', id: 8 })
  const box = node('clickable', { id: 9, byPointer: true, children: [link] })
  expect(finish(box)).toEqual([link])
})

test('what has a ref and only text is named by it', () => {
  const box = node('clickable', { id: 10, children: [text('Card'), text('text')] })
  expect(printed(finish(box))).toEqual(['clickable "Card text" e10'])
})

test('long lists say how long they are', () => {
  const item = () => node('listitem', { children: [text('x')] })
  const list = (count: number) =>
    finish(node('list', { children: Array.from({ length: count }, item) }))
  expect(printed(list(19))[0]).toBe('list')
  expect(printed(list(40))[0]).toBe('list [40 items]')
})

test('levels beyond the limit are left out, beyond 24 flattened', () => {
  let deep = node('group', { name: 'end' })
  for (let level = 0; level < 30; level += 1) deep = node('group', { children: [deep] })
  expect(printed([deep], 3)).toHaveLength(3)
  const lines = printLines(NUMBERS, [deep], 100)
  expect(lines).toHaveLength(31)
  expect(Math.max(...lines.map(([depth]) => depth))).toBe(23)
})
