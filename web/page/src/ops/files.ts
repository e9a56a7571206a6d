/** `files`: what a file field wants and holds; it comes by its number or, from a chooser, as a node. */

import { named } from '../describe.ts'
import { isDisabled } from '../fields.ts'
import type { FilesReply, FilesRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { fileNeeds, isFileField } from '../ready/files.ts'
import { createScan } from '../scan.ts'
import { wellFormed } from '../text.ts'

const LISTED = 100

export function files(page: Page, request: FilesRequest, nodes: readonly Node[]): FilesReply {
  const element = (nodes[0] as Element | undefined) ?? page.elementOf(request.id ?? 0)
  if (!element || !isFileField(element)) return { is: 'none' }
  const scan = createScan(page)
  const held = Array.from(element.files ?? []).slice(0, LISTED)
  return {
    is: 'field',
    ...named(scan, element),
    needs: fileNeeds(scan, element),
    disabled: isDisabled(element),
    files: held.map(({ name, size }) => ({ name: wellFormed(name), size })),
  }
}
