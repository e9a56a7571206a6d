/** Unit tests of `text.ts`. */

import { expect, test } from 'vitest'
import { bare, characters, clean, cut, fold, quote, quoted, wellFormed } from './text.ts'

test('white space becomes single spaces and the ends are trimmed', () => {
  expect(clean('  Sign\n\t in\u00a0now ')).toBe('Sign in now')
  expect(clean('Sign in')).toBe('Sign in')
})

test('nothing a person cannot see is left', () => {
  expect(clean('a\u202eb\u2066c\u200bd\u0007e\ufefff\u00adg')).toBe('abcdefg')
  expect(clean('pay\u{e0041}\u{e0042}load')).toBe('payload')
  expect(clean('\ue001 Close')).toBe('Close')
  expect(clean('x\ud800y')).toBe('xy')
})

test('no character is treated otherwise for the company it is in', () => {
  for (let code = 0; code < 0xd800; code += 1) {
    const text = `a${String.fromCharCode(code)}b  c`
    // One character nobody sees, and all rules are applied.
    expect(clean(text), code.toString(16)).toBe(clean(`\u200b${text}`))
  }
})

test('white space of every kind and number is one space', () => {
  for (const space of [
    '\n',
    '  ',
    ' \u3000',
    '\u0085',
    '\u0085 ',
    ' \u0085',
    '\u00a0\u0085',
    '\t \t',
  ]) {
    expect(clean(`a${space}b`)).toBe('a b')
    expect(clean(`\u200ba${space}b`)).toBe('a b')
  }
})

test('joiners stay inside words and emoji only', () => {
  expect(clean('👨‍👩‍👧')).toBe('👨‍👩‍👧')
  expect(clean('a \u200d b')).toBe('a b')
  expect(clean('\u200d')).toBe('')
})

test('a cut text is as long as its limit and ends in an ellipsis', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect(cut('abc  defg', 6)).toBe('abc…')
})

test('a cut never halves a character', () => {
  expect(cut('abcd😀efg', 6)).toBe('abcd…')
})

test('only our own quotes end a quoted text', () => {
  expect(quote('say "hi" \\')).toBe('"say \\"hi\\" \\\\"')
  expect(quoted('"\nbutton "Pay" e9', 120)).toBe('"\\" button \\"Pay\\" e9"')
})

test('a word in a state is bare only when it is harmless', () => {
  expect(bare('Europe', 40)).toBe('Europe')
  expect(bare('New York (US)', 40)).toBe('New York (US)')
  expect(bare('a] e5 [b', 40)).toBe('"a] e5 [b"')
  expect(bare('one, two', 40)).toBe('"one, two"')
  expect(bare('e5', 40)).toBe('"e5"')
  for (const state of ['disabled', 'Checked', 'h2', '40 items', '1 to 5', '13 characters']) {
    expect(bare(state, 40)).toBe(`"${state}"`)
  }
  expect(bare('', 40)).toBe('""')
})

test('texts are compared without case and spacing', () => {
  expect(fold(' Sign\n IN ')).toBe('sign in')
})

test('what leaves the page is well-formed', () => {
  expect(wellFormed('a\udc00b😀')).toBe('a\ufffdb😀')
  expect(characters('a😀b')).toBe(3)
})
