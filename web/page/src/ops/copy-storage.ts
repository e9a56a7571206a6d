/**
 * `copyStorage`: what this document's origin has in web storage, so that it survives a crash, and for states
 * in its databases.
 *
 * The items travel as JSON in a string that the engine never looks into: values may hold halves of
 * characters, which no Rust string can.
 */

import type { CopyStorageRequest, StorageCopy } from '../belongings.ts'
import { copyDatabases } from '../databases.ts'
import type { Page } from '../page-state.ts'

export function copyStorage(
  page: Page,
  request: CopyStorageRequest,
): StorageCopy | Promise<StorageCopy> {
  const copy = {
    origin: page.window.origin,
    local: items(page, 'localStorage', request.limit),
    session: items(page, 'sessionStorage', request.limit),
  }
  if (!request.databases) return copy
  return copyDatabases(page, request.databases).then(
    (databases) => ({ ...copy, databases }),
    () => ({ ...copy, databases: false }),
  )
}

/** All items; none if there are none or the document has no storage, `false` if they are too many. */
function items(
  page: Page,
  area: 'localStorage' | 'sessionStorage',
  limit: number,
): string | null | false {
  const storage = storageOf(page, area)
  if (!storage?.length) return null
  const found: [string, string][] = []
  let size = 0
  for (let at = 0; at < storage.length; at++) {
    const key = storage.key(at)
    const value = key === null ? null : storage.getItem(key)
    if (key === null || value === null) continue
    size += key.length + value.length
    if (size > limit) return false
    found.push([key, value])
  }
  return JSON.stringify(found)
}

/** Sandboxed and opaque documents have none: asking for it throws. */
export function storageOf(
  page: Page,
  area: 'localStorage' | 'sessionStorage',
): Storage | undefined {
  try {
    return page.window[area]
  } catch {
    return undefined
  }
}
