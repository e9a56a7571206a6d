/** What a `clip-path` leaves. */

import { expect, test } from 'vitest'
import { clipsAll } from './scan.ts'

test('paths that leave nothing are told from those that leave something', () => {
  for (const path of [
    'inset(50%)',
    'inset(100%)',
    'inset(0px 50%)',
    'inset(0px 0px 100% round 4px)',
    'inset(9999px)',
    'circle(0px at 50% 50%)',
    'circle(0%)',
    'polygon(0px 0px, 0px 0px, 0px 0px)',
  ]) {
    expect([path, clipsAll(path)]).toEqual([path, true])
  }
  for (const path of [
    'none',
    'inset(0px)',
    'inset(10% 20%)',
    'inset(0px round 8px)',
    'circle(50%)',
    'polygon(0px 0px, 100% 0px, 50% 100%)',
    'url("#shape")',
    'path("M 0 0")',
  ]) {
    expect([path, clipsAll(path)]).toEqual([path, false])
  }
})
