/** The areas of an image map as lines below their image. */

import { areaBox, areasOf } from '../areas.ts'
import { roleOf } from '../aria/roles.ts'
import { clickability } from '../clickable.ts'
import { isEmptyBox } from '../visibility.ts'
import { makeNode } from './classify.ts'
import type { ElementNode } from './outline.ts'
import type { Walk } from './walk.ts'

const AREAS = 500

export function addAreas(state: Walk, image: Element, into: ElementNode): void {
  if (state.options.mode === 'text') return
  for (const area of areasOf(image).slice(0, AREAS)) {
    const link = roleOf(state.scan, area) === 'link'
    if (!link && !clickability(state.scan, area)) continue
    if (isEmptyBox(areaBox(area))) continue
    const role = link ? 'link' : 'clickable'
    const found = { role, ref: true, byPointer: false, scrolls: false, unseen: false }
    const node = makeNode(state, area, found)
    state.chars += node.role.length + node.name.length + 12
    into.children.push(node)
  }
}
