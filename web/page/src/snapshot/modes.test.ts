/** Unit tests of `modes.ts`. */

import { expect, test } from 'vitest'
import { onlyInteractive } from './modes.ts'
import { type ElementNode, elementNode, type OutlineNode } from './outline.ts'
import { printLines } from './print.ts'

const NUMBERS = { idOf: () => 0 }

function node(role: string, more: Partial<ElementNode> = {}): ElementNode {
  return { ...elementNode(role), ...more }
}

function heads(nodes: OutlineNode[]): string[] {
  return printLines(NUMBERS, onlyInteractive(nodes), 24).map(
    ([depth, head]) => `${'  '.repeat(depth)}${head}`,
  )
}

const button = node('button', { name: 'Go', id: 1 })
const words: OutlineNode = { kind: 'text', text: 'words' }

test('text and containers without a name are left out', () => {
  const list = node('list', { children: [node('listitem', { children: [words, button] })] })
  expect(heads([words, list])).toEqual(['button "Go"'])
})

test('named containers stay around what they hold', () => {
  const form = node('form', { name: 'Sign in', children: [words, button] })
  expect(heads([form, node('form', { name: 'Empty', children: [words] })])).toEqual([
    'form "Sign in"',
    '  button "Go"',
  ])
})

test('only the heading nearest before a control stays', () => {
  const one = node('heading', { name: 'One', states: ['h2'] })
  const two = node('heading', { name: 'Two', states: ['h2'] })
  expect(heads([one, words, two, words, button, one])).toEqual(['heading "Two"', 'button "Go"'])
})
