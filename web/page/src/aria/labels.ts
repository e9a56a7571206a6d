/**
 * Which `<label>` belongs to which control.
 *
 * Built once per root: `control.labels` costs a walk over the whole document each time, 17 s on a
 * page of 60,000 elements.
 */

import {
  attribute,
  closest,
  elementById,
  getRootNode,
  HTML,
  localName,
  namespaceURI,
  nodeType,
  queryAll,
} from '../dom.ts'

export interface Labels {
  /** The labels of a control, in document order. */
  of(control: Element): Element[]
  /** The control a label stands for. */
  control(label: Element): Element | null
}

const LABELABLE = /^(button|input|meter|output|progress|select|textarea)$/

export function createLabels(document: Document): Labels {
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

  function control(label: Element): Element | null {
    const id = attribute(label, 'for')
    if (id !== null) {
      const root = getRootNode(label)
      const named =
        root === document
          ? elementById(document, id)
          : nodeType(root) === 11
            ? (root as ShadowRoot).getElementById(id)
            : null
      return named && isLabelable(named) ? named : null
    }
    for (const inner of queryAll(label, 'button,input,meter,output,progress,select,textarea')) {
      if (isLabelable(inner)) return inner
    }
    return null
  }

  return {
    control,
    of(element) {
      if (!isLabelable(element)) return []
      const id = attribute(element, 'id')
      const found = id ? [...(byFor(getRootNode(element)).get(id) ?? [])] : []
      const wrapping = closest(element, 'label')
      if (wrapping && !found.includes(wrapping) && control(wrapping) === element) {
        found.unshift(wrapping)
      }
      // A second element of the same id has no label of its own.
      return found.filter((label) => label === wrapping || control(label) === element)
    },
  }
}

export function isLabelable(element: Element): boolean {
  return (
    LABELABLE.test(localName(element)) &&
    namespaceURI(element) === HTML &&
    !(localName(element) === 'input' && attribute(element, 'type')?.toLowerCase() === 'hidden')
  )
}
