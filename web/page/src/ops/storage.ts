/** `storage`: reads, sets and clears what this document's origin keeps in web storage. */

import type { StorageReply, StorageRequest } from '../belongings.ts'
import type { Page } from '../page-state.ts'
import { wellFormed } from '../text.ts'
import { storageOf } from './copy-storage.ts'

export function storage(page: Page, request: StorageRequest): StorageReply {
  const area = storageOf(page, request.area === 'local' ? 'localStorage' : 'sessionStorage')
  if (!area) return { is: 'refused', full: false }
  switch (request.do) {
    case 'get':
      return { is: 'value', value: request.key === undefined ? all(area) : one(area, request.key) }
    case 'set':
      try {
        area.setItem(request.key, request.value)
      } catch {
        return { is: 'refused', full: true }
      }
      return { is: 'done', items: 1 }
    case 'clear': {
      const items = area.length
      area.clear()
      return { is: 'done', items }
    }
  }
}

function one(area: Storage, key: string): string | null {
  const value = area.getItem(key)
  return value === null ? null : wellFormed(value)
}

function all(area: Storage): Record<string, string> {
  const found: [string, string][] = []
  for (let at = 0; at < area.length; at++) {
    const key = area.key(at)
    if (key !== null) found.push([wellFormed(key), wellFormed(area.getItem(key) ?? '')])
  }
  // Not by assignment: a key may be called `__proto__`.
  return Object.fromEntries(found)
}
