/** `addScript`: loads a script from an address into the page's own world, by a `<script>`. */

import { baseURI, createElement, documentElement, documentHead } from '../dom.ts'
import { loaded } from '../loaded.ts'
import type { AddReply, AddScriptRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'

export async function addScript(page: Page, request: AddScriptRequest): Promise<AddReply> {
  const { document } = page
  const place = documentHead(document) ?? documentElement(document)
  const url = whole(request.src, baseURI(document))
  if (!place || !url) return { is: 'failed', url: request.src }
  const script = createElement(document, 'script') as HTMLScriptElement
  try {
    script.src = url
  } catch {
    // The page takes addresses of scripts only from a policy of its own.
    return { is: 'blocked', url }
  }
  return loaded(page, script, url, place, request.timeout)
}

function whole(written: string, base: string): string | undefined {
  try {
    return new URL(written, base).href
  } catch {
    return undefined
  }
}
