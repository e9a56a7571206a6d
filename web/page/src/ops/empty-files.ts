/** `emptyFiles`: takes all files out of a field, as a person who chooses none in its chooser. */

import type { FilesReply, FilesRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { isFileField } from '../ready/files.ts'
import { files } from './files.ts'

export function emptyFiles(page: Page, request: FilesRequest): FilesReply {
  const field = page.elementOf(request.id ?? 0)
  if (field && isFileField(field) && field.files && field.files.length > 0) {
    field.value = ''
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  return files(page, request, [])
}
