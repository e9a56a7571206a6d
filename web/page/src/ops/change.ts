/** `change`: until it is worth asking the page again, for whoever waits for what only it knows. */

import type { Page } from '../page-state.ts'
import { startWaiting } from '../waiting.ts'

export async function change(
  page: Page,
  request: { timeout: number; token: number },
): Promise<{ over: boolean }> {
  const waiting = startWaiting(page, request.token, request.timeout)
  try {
    return { over: !(await waiting.change()) }
  } finally {
    waiting.end()
  }
}
