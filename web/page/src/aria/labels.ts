/**
 * Which `<label>` belongs to which control.
 *
 * Built once per root: `control.labels` costs a walk over the whole document each time, 17 s on a
 * page of 60,000 elements.
 */

import {
  attribute,
  closest,
  comparePosition,
  elementId,
  getRootNode,
  HTML,
  localName,
  namespaceURI,
  queryAll,
} from '../dom.ts'

export interface Labels {
  /** The labels of a control, in document order. */
  of(control: Element): readonly Element[]
  /** The control a label stands for. */
  control(label: Element): Element | null
}

const LABELABLE = /^(button|input|meter|output|progress|select|textarea)$/
const NONE: readonly Element[] = []

export function createLabels(): Labels {
  const roots = new Map<Node, Map<string, Element[]>>()

  function byFor(root: Node): Map<string, Element[]> {
    let map = roots.get(root)
    if (!map) {
      map = new Map()
      roots.set(root, map)
      for (const label of queryAll(root as Document, 'label[for]')) {
        const id = attribute(label, 'for')!
        const list = map.get(id)
        if (list) list.push(label)
        else map.set(id, [label])
      }
    }
    return map
  }

  // Also knows custom elements that belong to a form, which nothing else tells from outside.
  function control(label: Element): Element | null {
    return (label as HTMLLabelElement).control ?? null
  }

  return {
    control,
    of(element) {
      if (!mayBeLabelled(element)) return NONE
      const id = elementId(element)
      const named = id ? byFor(getRootNode(element)).get(id) : undefined
      const wrapping = closest(element, 'label')
      if (!named && !wrapping) return NONE
      // A second element of the same id has no label of its own.
      const found = (named ?? []).filter((label) => control(label) === element)
      if (wrapping && !found.includes(wrapping) && control(wrapping) === element) {
        found.push(wrapping)
        found.sort((a, b) => (comparePosition(a, b) & 4 ? -1 : 1))
      }
      return found
    },
  }
}

export function mayBeLabelled(element: Element): boolean {
  const name = localName(element)
  if (!LABELABLE.test(name) && !name.includes('-')) return false
  if (namespaceURI(element) !== HTML) return false
  return !(name === 'input' && attribute(element, 'type')?.toLowerCase() === 'hidden')
}
