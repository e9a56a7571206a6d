/**
 * What the engine and the page code say to each other of what a page keeps: web storage and the
 * clipboard. The rest is `messages.ts`.
 */

export interface Copied {
  text: string
  html?: string
  at: number
}

export interface PasteRequest {
  text: string
  html?: string
}

export interface CopyStorageRequest {
  /** Characters of keys and values, for each of the two. */
  limit: number
  /** The same for databases, where they are wanted. */
  databases?: number
}

export interface StorageCopy {
  origin: string
  local: string | null | false
  session: string | null | false
  databases?: string | null | false
}

export interface PutStorageRequest {
  local?: string | null
  session?: string | null
  databases?: string | null
  /** Whether it takes the place of what is there; else that is newer and stays. */
  replace: boolean
}

export type StorageArea = 'local' | 'session'

export type StorageRequest =
  | { do: 'get'; area: StorageArea; key?: string }
  | { do: 'set'; area: StorageArea; key: string; value: string }
  | { do: 'clear'; area: StorageArea }

export type StorageReply =
  /** One item, all of them, or null where there is none. */
  | { is: 'value'; value: string | Record<string, string> | null }
  | { is: 'done'; items: number }
  /** The document has none, or it is full. */
  | { is: 'refused'; full: boolean }
