/**
 * `putStorage`: gives this document's origin back what `copyStorage` found.
 *
 * After a crash, storage that has something in it is newer than the copy and stays as it is; a state
 * that somebody loads takes its place.
 */

import type { PutStorageRequest } from '../belongings.ts'
import { putDatabases } from '../databases.ts'
import type { Page } from '../page-state.ts'
import { storageOf } from './copy-storage.ts'

export async function putStorage(page: Page, request: PutStorageRequest): Promise<void> {
  for (const [area, kept] of [
    ['localStorage', request.local],
    ['sessionStorage', request.session],
  ] as const) {
    const storage = storageOf(page, area)
    if (!kept || !storage) continue
    if (request.replace) storage.clear()
    if (storage.length > 0) continue
    for (const [key, value] of JSON.parse(kept) as [string, string][]) storage.setItem(key, value)
  }
  if (request.databases) await putDatabases(page, request.databases)
}
