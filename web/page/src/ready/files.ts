/**
 * Where files go that are to be uploaded: into a file field, through a button that opens a
 * chooser, or onto a place where they can be dropped.
 */

import { WIDGETS } from '../aria/role-tables.ts'
import { printedRole } from '../describe.ts'
import { closest, hasAttribute, isHtml, queryAll, shadowRootsIn } from '../dom.ts'
import { isInput } from '../fields.ts'
import type { FileNeeds } from '../messages.ts'
import type { Scan } from '../scan.ts'
import { clean, cut } from '../text.ts'

const ACCEPT_LIMIT = 200

export function isFileField(element: Element): element is HTMLInputElement {
  return isInput(element) && element.type === 'file'
}

/** The file field an element stands for: itself, its label's, or the only one inside it. */
export function fileField(scan: Scan, element: Element): Element | undefined {
  if (isFileField(element)) return element
  const label = isHtml(element, 'label') ? element : closest(element, 'label')
  const labelled = label && scan.labels.control(label)
  if (labelled && isFileField(labelled)) return labelled
  const inside = [element, ...shadowRootsIn(element)].flatMap((root) =>
    Array.from(queryAll(root, 'input[type=file]')),
  )
  return inside.length === 1 ? inside[0] : undefined
}

/** What an element wants of files: how they get there, and which. */
export function fileNeeds(scan: Scan, element: Element): FileNeeds {
  if (isFileField(element)) {
    const { multiple, accept } = element
    const folder = hasAttribute(element, 'webkitdirectory')
    return { plan: 'set', multiple, folder, accept: cut(clean(accept), ACCEPT_LIMIT) }
  }
  const role = printedRole(scan, element)
  const pressed = WIDGETS.has(role) || role === 'clickable' || role === 'label'
  return { plan: pressed ? 'press' : 'drop', multiple: true, folder: false, accept: '' }
}
