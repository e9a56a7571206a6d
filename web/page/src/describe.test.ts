/** Unit tests of `describe.ts`. */

import { expect, test } from 'vitest'
import { likeness } from './describe.ts'

test('the more two names share the more alike they are', () => {
  expect(likeness('delete item', 'delete item')).toBe(1)
  expect(likeness('delete items', 'delete item')).toBeGreaterThan(0.6)
  expect(likeness('delete thing', 'delete item')).toBeGreaterThan(0)
  expect(likeness('cancel', 'delete item')).toBe(0)
  expect(likeness('', 'delete item')).toBe(0)
})
