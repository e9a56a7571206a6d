/** The links below an element, in shadow roots too: what each says and where it leads. */

import { nameOf } from './aria/name.ts'
import { attribute, baseURI, queryAll, type Root, shadowRootsIn } from './dom.ts'
import type { Link } from './messages.ts'
import type { Page } from './page-state.ts'
import { createScan } from './scan.ts'
import { clean, cut, wellFormed } from './text.ts'

const MOST = 5000
const TEXT = 200
const ADDRESS = 2000

export function linksIn(page: Page, root: Root): Link[] {
  const scan = createScan(page)
  const found: Link[] = []
  for (const part of [root, ...shadowRootsIn(root)]) {
    for (const link of queryAll(part, 'a[href], area[href]')) {
      if (found.length === MOST) return found
      const href = wellFormed(resolved(link))
      found.push({ text: cut(clean(nameOf(scan, link)), TEXT), href: cut(href, ADDRESS) })
    }
  }
  return found
}

/** Through the attribute: the property can be shadowed. */
function resolved(link: Element): string {
  const written = attribute(link, 'href') ?? ''
  try {
    return new URL(written, baseURI(link)).href
  } catch {
    return written
  }
}
