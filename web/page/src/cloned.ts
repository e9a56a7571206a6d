/**
 * Values a database holds, as JSON and back: what structured cloning knows beyond JSON is marked by
 * an object with `$`. What cannot be written (keys of cryptography, cycles) is an error.
 */

/** Views of bytes, by the name they are written under. */
const VIEWS: Record<string, new (buffer: ArrayBuffer) => ArrayBufferView> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
}
/** Deeper ones are no data. */
const DEEPEST = 200

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Blobs are read, hence the promise. */
export async function toJson(value: unknown, depth = 0): Promise<Json> {
  if (depth > DEEPEST) throw new Error('too deep')
  const inner = (one: unknown) => toJson(one, depth + 1)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    const plain = Number.isFinite(value) && !Object.is(value, -0)
    return plain ? value : { $: 'number', is: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (value === undefined) return { $: 'undefined' }
  if (typeof value === 'bigint') return { $: 'bigint', is: String(value) }
  if (Array.isArray(value)) return all(value, inner)
  if (value instanceof Date) return { $: 'date', is: await inner(value.getTime()) }
  if (value instanceof RegExp) return { $: 'regexp', is: [value.source, value.flags] }
  if (value instanceof Map) return { $: 'map', is: await all([...value].flat(), inner) }
  if (value instanceof Set) return { $: 'set', is: await all([...value], inner) }
  if (value instanceof ArrayBuffer) return { $: 'bytes', is: encode(new Uint8Array(value)) }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { $: 'view', of: kind(value), is: encode(bytes) }
  }
  if (value instanceof Blob) {
    const is = encode(new Uint8Array(await value.arrayBuffer()))
    const name = typeof File === 'function' && value instanceof File ? value.name : null
    return { $: 'blob', type: value.type, name, is }
  }
  if (kind(value) !== 'Object') throw new Error(`${kind(value)} cannot be written`)
  const entries = Object.entries(value as object)
  const values = await all(
    entries.map(([, one]) => one),
    inner,
  )
  const plain = Object.fromEntries(entries.map(([key], at) => [key, values[at] as Json]))
  return Object.hasOwn(plain, '$') ? { $: 'object', is: plain } : plain
}

/** The file may be anybody's: what makes no sense is an error, and nothing in it is run. */
export function fromJson(json: unknown): unknown {
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map(fromJson)
  const { $, is, of, type, name } = json as { [key: string]: unknown }
  switch ($) {
    case undefined:
      return object(json)
    case 'object':
      return object(is as object)
    case 'undefined':
      return undefined
    case 'number':
      return Number(is)
    case 'bigint':
      return BigInt(String(is))
    case 'date':
      return new Date(Number(fromJson(is)))
    case 'regexp': {
      const [source, flags] = is as [string, string]
      return new RegExp(source, flags)
    }
    case 'map': {
      const flat = (is as unknown[]).map(fromJson)
      return new Map(flat.flatMap((key, at) => (at % 2 ? [] : [[key, flat[at + 1]]])))
    }
    case 'set':
      return new Set((is as unknown[]).map(fromJson))
    case 'bytes':
      return decode(String(is)).buffer
    case 'view': {
      const View = Object.hasOwn(VIEWS, String(of)) ? VIEWS[String(of)] : undefined
      if (!View) throw new Error(`There is no '${of}'`)
      return new View(decode(String(is)).buffer as ArrayBuffer)
    }
    case 'blob': {
      const parts = [decode(String(is)).buffer as ArrayBuffer]
      const options = { type: String(type) }
      return name === null ? new Blob(parts, options) : new File(parts, String(name), options)
    }
    default:
      throw new Error(`There is no '${$}'`)
  }
}

/** In order, one after the other: blobs are not all held at once. */
async function all(values: readonly unknown[], one: (value: unknown) => Promise<Json>) {
  const written: Json[] = []
  // Holes are told like anything that is not there.
  for (let at = 0; at < values.length; at++) written.push(await one(values[at]))
  return written
}

/** `fromEntries` makes own properties only, `__proto__` too. */
function object(json: object): object {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fromJson(value)]))
}

function kind(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Pieces, since a call takes only so many arguments. */
function encode(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(text)
}

function decode(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
