/**
 * Image maps: an `<area>` has no box of its own; it lies on the image that uses its map.
 */

import {
  attribute,
  boundingBox,
  clientLeft,
  clientTop,
  closest,
  getRootNode,
  isHtml,
  queryAll,
  type Root,
} from './dom.ts'
import { isEmptyBox } from './visibility.ts'

export function isArea(element: Element): boolean {
  return isHtml(element, 'area')
}

/** The areas drawn on an image, in document order. */
export function areasOf(image: Element): Element[] {
  const name = attribute(image, 'usemap')?.trim().replace(/^#/, '')
  if (!name) return []
  const maps = queryAll(getRootNode(image) as Root, 'map')
  for (const map of maps) {
    if (attribute(map, 'name') === name || attribute(map, 'id') === name) {
      return Array.from(queryAll(map, 'area'))
    }
  }
  return []
}

/** The image an area is drawn on; of several, the first that is rendered. */
export function imageOf(area: Element): Element | undefined {
  const map = closest(area, 'map')
  if (!map) return undefined
  const names = [attribute(map, 'name'), attribute(map, 'id')]
  const images = Array.from(queryAll(getRootNode(area) as Root, 'img[usemap]')).filter((image) =>
    names.includes(attribute(image, 'usemap')!.trim().replace(/^#/, '')),
  )
  return images.find((image) => !isEmptyBox(boundingBox(image))) ?? images[0]
}

/** The box around an area's shape, in the viewport. */
export function areaBox(area: Element): DOMRect {
  const image = imageOf(area)
  if (!image) return new DOMRect()
  const box = boundingBox(image)
  const [left, top, right, bottom] = extent(area, box)
  // The border apart, coordinates count from the image's corner, whatever its natural size.
  const x = box.left + clientLeft(image) + left
  const y = box.top + clientTop(image) + top
  return new DOMRect(x, y, Math.max(0, right - left), Math.max(0, bottom - top))
}

function extent(area: Element, image: DOMRect): [number, number, number, number] {
  const coords = (attribute(area, 'coords') ?? '').split(/[\s,;]+/).map(Number.parseFloat)
  const numbers = coords.filter((coord) => Number.isFinite(coord)).slice(0, 2000)
  switch (attribute(area, 'shape')?.toLowerCase()) {
    case 'default':
      return [0, 0, image.width, image.height]
    case 'circle':
    case 'circ': {
      const [x = 0, y = 0, r = 0] = numbers
      return [x - r, y - r, x + r, y + r]
    }
    default: {
      const xs = numbers.filter((_, at) => at % 2 === 0)
      const ys = numbers.filter((_, at) => at % 2 === 1)
      if (xs.length === 0 || ys.length === 0) return [0, 0, 0, 0]
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
    }
  }
}
