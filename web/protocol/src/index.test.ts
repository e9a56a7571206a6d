/** The types, held against the manifest and against the compiler. */

import { expect, expectTypeOf, test } from 'vitest'
import json from '../manifest.json'
import type { ActionName, Effect, Params, Result, Tools } from './index.ts'
import * as protocol from './index.ts'
import type { Manifest } from './manifest.ts'

const manifest = json as unknown as Manifest

test('nothing of the package exists at run time', () => {
  expect(Object.keys(protocol)).toEqual([])
})

test('an action has the parameters and results of the registry', () => {
  expectTypeOf<Params<'click'>>().toHaveProperty('selector').toEqualTypeOf<string>()
  expectTypeOf<Params<'click'>>().toHaveProperty('timeout').toEqualTypeOf<number | undefined>()
  expectTypeOf<Result<'click'>>().toEqualTypeOf<Effect>()
  expectTypeOf<Result<'count'>>().toEqualTypeOf<{ count: number }>()
  expectTypeOf<Tools['browser_get_by_role']>().toEqualTypeOf<'get_by_role'>()
  expectTypeOf<Tools[keyof Tools]>().toEqualTypeOf<ActionName>()
})

test('every action of a preset is in the manifest, and says so', () => {
  for (const [preset, names] of Object.entries(manifest.presets)) {
    const saying = manifest.actions.filter((action) => action.presets.some((in_) => in_ === preset))
    expect(saying.map((action) => action.name).sort()).toEqual([...names].sort())
  }
})

test('the larger presets begin with the smaller ones', () => {
  const { minimal, standard, full, all } = manifest.presets
  expect(standard.slice(0, minimal.length)).toEqual(minimal)
  expect(full.slice(0, standard.length)).toEqual(standard)
  expect(all.slice(0, full.length)).toEqual(full)
  expect(all).toHaveLength(manifest.actions.length)
})
