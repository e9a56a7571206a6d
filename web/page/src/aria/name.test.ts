/** Unit tests of the parts of names that need no page. */

import { expect, test } from 'vitest'
import { contentStrings, shielded, subjectOf } from './generated.ts'
import { applyTransform } from './transform.ts'

test('the strings of generated content are read', () => {
  expect(contentStrings('"a" counter(x) "b\\"c"', () => '')).toBe('ab"c')
  expect(contentStrings('attr(data-x) "!"', (name) => `<${name}>`)).toBe('<data-x>!')
  expect(contentStrings('url("x.png") " image"', () => '')).toBe(' image')
  expect(contentStrings('open-quote "a" close-quote', () => '')).toBe('“a”')
})

test('the subject of a selector is what an element must have', () => {
  expect(subjectOf('.card > .icon::before')).toBe('.icon')
  expect(subjectOf('h1:hover::after')).toBe('h1')
  expect(subjectOf('a#top.wide:before')).toBe('.wide')
  expect(subjectOf('::before')).toBe('*')
  expect(subjectOf('ul *::after')).toBe('*')
  expect(subjectOf(shielded('.md\\:before\\:w-\\[3px\\]::before'))).toBe('.md:before:w-[3px]')
  expect(subjectOf(shielded('.\\31 0::after'))).toBe('.10')
})

test('text is as the style sheet shows it', () => {
  expect(applyTransform('sign in', 'uppercase')).toBe('SIGN IN')
  expect(applyTransform('Sign In', 'lowercase')).toBe('sign in')
  expect(applyTransform("the cat's hat", 'capitalize')).toBe("The Cat's Hat")
  expect(applyTransform('as is', 'none')).toBe('as is')
})
