/** `keyed`: whether a key that activates would run the script in an address. */

import { named } from '../describe.ts'
import type { KeyedReply } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { scriptKeyed } from '../ready/script-address.ts'
import { createScan } from '../scan.ts'

export function keyed(page: Page, { key }: { key: string }): KeyedReply {
  const scan = createScan(page)
  const { script, frame } = scriptKeyed(scan, key)
  return { script: script && named(scan, script), frame: frame && page.idOf(frame) }
}
