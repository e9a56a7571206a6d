/** Unit tests of `name.ts`. */

import { expect, test } from 'vitest'
import { applyTransform, contentStrings } from './name.ts'

test('the strings of generated content are read', () => {
  expect(contentStrings('"a" counter(x) "b\\"c"', () => '')).toBe('ab"c')
  expect(contentStrings('attr(data-x) "!"', (name) => `<${name}>`)).toBe('<data-x>!')
  expect(contentStrings('url("x.png") / "alternative"', () => '')).toBe('alternative')
})

test('text is as the style sheet shows it', () => {
  expect(applyTransform('sign in', 'uppercase')).toBe('SIGN IN')
  expect(applyTransform('Sign In', 'lowercase')).toBe('sign in')
  expect(applyTransform("the cat's hat", 'capitalize')).toBe("The Cat's Hat")
  expect(applyTransform('as is', 'none')).toBe('as is')
})
