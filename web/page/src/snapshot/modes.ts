/** Which nodes of an outline a mode shows. Pure functions. */

import { SIGNPOSTS } from '../aria/role-tables.ts'
import type { OutlineNode } from './outline.ts'

/**
 * What can be acted on, under the named containers it stands in and the heading before it.
 *
 * Bounded by recursion over the outline, which `limitDepth` keeps shallow.
 */
export function onlyInteractive(nodes: readonly OutlineNode[]): OutlineNode[] {
  const kept: OutlineNode[] = []
  let heading: OutlineNode | undefined
  for (const node of nodes) {
    if (node.kind === 'text') continue
    if (node.kind === 'rest' && node.noun === 'characters') continue
    if (node.kind !== 'element') {
      kept.push(node)
      continue
    }
    const children = onlyInteractive(node.children)
    if (node.role === 'heading' && !node.id) {
      // A heading that is all link is told by the link.
      const only = children.length === 1 ? children[0]! : undefined
      if (only?.kind === 'element' && only.name === node.name) {
        heading = undefined
        kept.push(only)
        continue
      }
      // It waits for something to act on; what is in it comes along.
      heading = children.length > 0 ? undefined : { ...node, children: [] }
      if (children.length > 0) kept.push({ ...node, children })
      continue
    }
    if (!node.id && children.length === 0) continue
    if (heading && !startsWithHeading(children)) kept.push(heading)
    heading = undefined
    if (node.id || (SIGNPOSTS.has(node.role) && node.name)) {
      const { cells: _, ...rest } = node
      kept.push({ ...rest, children })
    } else {
      kept.push(...children)
    }
  }
  return kept
}

function startsWithHeading(nodes: readonly OutlineNode[]): boolean {
  const first = nodes[0]
  return first?.kind === 'element' && first.role === 'heading'
}
