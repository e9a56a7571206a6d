/**
 * Tables: whether one holds data or the page's layout, and what its parts are.
 *
 * The rules are Blink's. A layout table and its parts are boxes.
 */

import {
  attribute,
  boundingBox,
  firstChild,
  flatParent,
  HTML,
  hasAttribute,
  isElement,
  isHtml,
  localName,
  namespaceURI,
  nextSibling,
  parentNode,
} from '../dom.ts'
import { isEditable } from '../fields.ts'
import type { Scan } from '../scan.ts'
import { roleOf } from './roles.ts'

export function tableRole(scan: Scan, element: Element): string {
  return isDataTable(scan, element as HTMLTableElement) ? 'table' : 'generic'
}

export function sectionRole(scan: Scan, element: Element): string {
  return isTable(tableAround(scan, element)) ? 'rowgroup' : 'generic'
}

export function rowRole(scan: Scan, element: Element): string {
  return isTable(tableAround(scan, element)) ? 'row' : 'generic'
}

/** `td` and `th`. */
export function cellRole(scan: Scan, element: Element): string {
  const row = flatParent(element)
  if (!row || !isHtml(row, 'tr') || roleOf(scan, row) !== 'row') return 'generic'
  const role = tableAround(scan, row)
  if (!isTable(role)) return 'generic'
  if (localName(element) === 'td') return role === 'table' ? 'cell' : 'gridcell'
  switch (attribute(element, 'scope')?.toLowerCase()) {
    case 'row':
    case 'rowgroup':
      return 'rowheader'
    case 'col':
    case 'colgroup':
      return 'columnheader'
    default:
      return headerRole(element)
  }
}

/** The role of the table a row or a group of rows is in; a group of another role hides it. */
function tableAround(scan: Scan, part: Element): string {
  let above = flatParent(part)
  if (above && SECTIONS.has(localName(above))) {
    const table = flatParent(above)
    if (roleOf(scan, above) === 'none') return 'none'
    above = table
  }
  return above && isHtml(above, 'table') ? roleOf(scan, above) : 'none'
}

const SECTIONS = new Set(['tbody', 'thead', 'tfoot'])

function isTable(role: string): boolean {
  return role === 'table' || role === 'grid' || role === 'treegrid'
}

/** Without a scope: beside data a header heads its row, among headers its column. */
function headerRole(cell: Element): string {
  const cells: Element[] = []
  const row = parentNode(cell)
  for (let node = row && firstChild(row); node; node = nextSibling(node)) {
    if (isElement(node)) cells.push(node)
  }
  const at = cells.indexOf(cell)
  const before = cells[at - 1]
  const after = cells[at + 1]
  if (!before && !after) return 'columnheader'
  if (isHeader(before) && isHeader(after)) return 'columnheader'
  const near = [before, after, cells[0], cells.at(-1), cells[1], cells.at(-2)]
  return near.some(isData) ? 'rowheader' : 'columnheader'
}

function isHeader(cell: Element | undefined): boolean {
  return !!cell && localName(cell) === 'th'
}

function isData(cell: Element | undefined): boolean {
  return !!cell && localName(cell) === 'td' && firstChild(cell) !== null
}

function isDataTable(scan: Scan, table: HTMLTableElement): boolean {
  if (scan.style(table).display === 'none') return true
  if (hasAttribute(table, 'role') || isEditable(table)) return true
  if (attribute(table, 'summary') || attribute(table, 'rules')) return true
  if (table.caption || table.tHead || table.tFoot || hasColumns(table)) return true
  const rows = table.rows
  if (rows.length >= 20) return true
  if (rows.length === 0) return false
  if (rows.length === 1 && rows[0]!.cells.length <= 1) return false
  for (let row = 0; row < rows.length; row += 1) {
    for (const cell of Array.from(rows[row]!.cells)) if (saysData(cell)) return true
  }
  return looksLikeData(scan, table)
}

function hasColumns(table: Element): boolean {
  for (let node = firstChild(table); node; node = nextSibling(node)) {
    if (!isElement(node) || namespaceURI(node) !== HTML) continue
    if (localName(node) === 'col' || localName(node) === 'colgroup') return true
  }
  return false
}

function saysData(cell: Element): boolean {
  return (
    localName(cell) === 'th' ||
    ['headers', 'abbr', 'axis', 'scope'].some((own) => attribute(cell, own))
  )
}

/** Cells looked at: Blink needs ten to be sure, and layout tables may be the whole page. */
const CELLS = 60

/** Lines, colours of cells or stripes tell a reader that this is data. */
function looksLikeData(scan: Scan, table: HTMLTableElement): boolean {
  const { window } = scan.page
  const own = window.getComputedStyle(table)
  const spaced = own.borderCollapse === 'separate' && !/^0px/.test(own.borderSpacing)
  const count = { cells: 0, boxed: 0, top: 0, right: 0, bottom: 0, left: 0, coloured: 0 }
  const stripes: string[] = []
  for (const row of Array.from(table.rows).slice(0, 20)) {
    let drawn = false
    for (const cell of Array.from(row.cells)) {
      if (count.cells >= CELLS) break
      const box = boundingBox(cell)
      if (box.width < 1 || box.height < 1) continue
      drawn = true
      count.cells += 1
      const style = window.getComputedStyle(cell)
      if (style.emptyCells === 'hide') return true
      const [top, right, bottom, left] = [
        Number.parseFloat(style.borderTopWidth) > 0,
        Number.parseFloat(style.borderRightWidth) > 0,
        Number.parseFloat(style.borderBottomWidth) > 0,
        Number.parseFloat(style.borderLeftWidth) > 0,
      ]
      if ((top && bottom) || (left && right)) count.boxed += 1
      if (top) count.top += 1
      if (right) count.right += 1
      if (bottom) count.bottom += 1
      if (left) count.left += 1
      const colour = style.backgroundColor
      if (spaced && colour !== own.backgroundColor && !isTransparent(colour)) count.coloured += 1
      if (count.boxed >= 10 || count.coloured >= 10) return true
    }
    if (drawn && stripes.length < 5) stripes.push(window.getComputedStyle(row).backgroundColor)
  }
  if (count.cells <= 1) return false
  const half = Math.floor(count.cells / 2)
  const most = Math.max(count.boxed, count.top, count.right, count.bottom, count.left)
  return most >= half || count.coloured >= half || isStriped(stripes)
}

function isTransparent(colour: string): boolean {
  return colour === 'transparent' || /, 0\)$/.test(colour)
}

function isStriped(colours: string[]): boolean {
  return (
    colours.length > 2 && colours.every((colour, at) => (colour === colours[0]) === (at % 2 === 0))
  )
}
