/** Values of databases, there and back. */

import { expect, test } from 'vitest'
import { fromJson, toJson } from './cloned.ts'

const back = async (value: unknown) => fromJson(JSON.parse(JSON.stringify(await toJson(value))))

test('what structured cloning knows comes back as it was', async () => {
  const values = {
    plain: ['text \ud800', 1.5, true, null, { deep: [{}] }],
    odd: [undefined, Number.NaN, Number.NEGATIVE_INFINITY, -0, 12n],
    when: new Date(1_700_000_000_000),
    never: new Date(Number.NaN),
    pattern: /a\/b/giu,
    map: new Map<unknown, unknown>([
      [{ key: 1 }, new Set([1, 'two'])],
      ['x', undefined],
    ]),
    bytes: new Uint8Array([0, 255, 128]).buffer,
    view: new Float64Array([1.5, -2]),
    part: new Uint16Array(new Uint16Array([1, 2, 3]).buffer, 2, 1),
    marked: { $: 'date', is: 'not one' },
    proto: JSON.parse('{"__proto__": {"polluted": true}}'),
  }
  expect(await back(values)).toEqual(values)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('a blob keeps its type, a file its name', async () => {
  const [blob, file] = (await back([
    new Blob(['hello'], { type: 'text/x' }),
    new File(['bye'], 'a.txt'),
  ])) as [Blob, File]
  expect([blob.type, await blob.text()]).toEqual(['text/x', 'hello'])
  expect([file.name, await file.text()]).toEqual(['a.txt', 'bye'])
})

test('what cannot be written, or makes no sense, is an error', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  await expect(toJson(circle)).rejects.toThrow('too deep')
  await expect(toJson(new Error('x'))).rejects.toThrow('Error cannot be written')
  expect(() => fromJson({ $: 'view', of: 'constructor', is: '' })).toThrow("no 'constructor'")
  expect(() => fromJson({ $: 'eval', is: '1' })).toThrow("no 'eval'")
})
