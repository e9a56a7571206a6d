/**
 * The databases (IndexedDB) of this document's origin, for states: read whole, and made again.
 *
 * They travel as JSON in a string that the engine never looks into. Records that cannot be written
 * are left out, as are databases somebody is just changing.
 */

import { fromJson, toJson } from './cloned.ts'
import type { Page } from './page-state.ts'

interface Index {
  name: string
  keyPath: string | string[]
  unique: boolean
  multiEntry: boolean
}

interface Store {
  name: string
  keyPath: string | string[] | null
  autoIncrement: boolean
  indexes: Index[]
  /** Key and value of each record. */
  records: [unknown, unknown][]
}

interface Database {
  name: string
  version: number
  stores: Store[]
}

/** How long somebody who holds a database open may keep us waiting. */
const PATIENCE = 2000
/** Records that are read at a time. */
const BATCH = 1000

/** All of them; `null` if there are none, `false` if they are too much. */
export async function copyDatabases(page: Page, limit: number): Promise<string | null | false> {
  const factory = factoryOf(page)
  const known = factory ? await factory.databases() : []
  const found: string[] = []
  let size = 0
  for (const { name } of known) {
    const database = name === undefined ? undefined : await open(page, factory!, name)
    if (!database) continue
    try {
      const read: Database = { name: database.name, version: database.version, stores: [] }
      for (const store of database.objectStoreNames) {
        const copied = await copyStore(database, store, limit - size)
        if (!copied) return false
        size += copied.size
        read.stores.push(copied.store)
      }
      found.push(JSON.stringify(read))
    } finally {
      database.close()
    }
  }
  return found.length ? `[${found.join()}]` : null
}

/** Makes them again, in place of those of the same name. */
export async function putDatabases(page: Page, kept: string): Promise<void> {
  const factory = factoryOf(page)
  if (!factory) return
  for (const database of JSON.parse(kept) as Database[]) {
    await settled(page, factory.deleteDatabase(database.name))
    const asked = factory.open(database.name, database.version)
    asked.onupgradeneeded = () => {
      for (const store of database.stores) make(asked.result, store)
    }
    const made = await settled(page, asked)
    made?.close()
  }
}

function make(database: IDBDatabase, kept: Store): void {
  const { keyPath, autoIncrement } = kept
  const store = database.createObjectStore(kept.name, { keyPath, autoIncrement })
  for (const { name, keyPath, unique, multiEntry } of kept.indexes) {
    store.createIndex(name, keyPath, { unique, multiEntry })
  }
  for (const [key, value] of kept.records) {
    try {
      if (keyPath === null) store.put(fromJson(value), fromJson(key) as IDBValidKey)
      else store.put(fromJson(value))
    } catch {
      // A record with a secret in its bytes was masked, and is none any more.
    }
  }
}

async function copyStore(database: IDBDatabase, name: string, limit: number) {
  const store = database.transaction(name).objectStore(name)
  const indexes = Array.from(store.indexNames, (index) => {
    const { name, keyPath, unique, multiEntry } = store.index(index)
    return { name, keyPath, unique, multiEntry }
  })
  const { keyPath, autoIncrement } = store
  const records: [unknown, unknown][] = []
  let [size, last] = [0, undefined as IDBValidKey | undefined]
  for (;;) {
    const [keys, values] = await batch(database, name, last)
    for (const [at, key] of keys.entries()) {
      const record = await toJson([key, values[at]]).catch(() => undefined)
      if (!record) continue
      size += JSON.stringify(record).length
      if (size > limit) return undefined
      records.push(record as [unknown, unknown])
    }
    if (keys.length < BATCH) break
    last = keys.at(-1)
  }
  return { size, store: { name, keyPath, autoIncrement, indexes, records } as Store }
}

/** Keys and values behind a key, of one moment. */
function batch(
  database: IDBDatabase,
  name: string,
  last: IDBValidKey | undefined,
): Promise<[IDBValidKey[], unknown[]]> {
  const store = database.transaction(name).objectStore(name)
  const range = last === undefined ? null : IDBKeyRange.lowerBound(last, true)
  const [keys, values] = [store.getAllKeys(range, BATCH), store.getAll(range, BATCH)]
  return new Promise((resolve, reject) => {
    store.transaction.oncomplete = () => resolve([keys.result, values.result])
    store.transaction.onabort = () => reject(store.transaction.error)
  })
}

/** The database as it is; nothing where it is gone meanwhile, or held back. */
function open(page: Page, factory: IDBFactory, name: string): Promise<IDBDatabase | undefined> {
  const asked = factory.open(name)
  // It would be made anew.
  asked.onupgradeneeded = () => asked.transaction?.abort()
  return settled(page, asked)
}

function settled<T>(page: Page, asked: IDBRequest<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    let late = false
    const give = (value: T | undefined) => {
      page.window.clearTimeout(timer)
      // Who comes too late must not keep others waiting in turn.
      if (late && value instanceof IDBDatabase) value.close()
      resolve(value)
    }
    const timer = page.window.setTimeout(() => {
      late = true
      resolve(undefined)
    }, PATIENCE)
    asked.onsuccess = () => give(asked.result)
    asked.onerror = (event) => {
      event.preventDefault()
      give(undefined)
    }
  })
}

/** Sandboxed and opaque documents have none: asking for it throws. */
function factoryOf(page: Page): IDBFactory | undefined {
  try {
    return page.window.origin === 'null' ? undefined : page.window.indexedDB
  } catch {
    return undefined
  }
}
