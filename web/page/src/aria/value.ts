/**
 * What a control says inside the name of something else: its value, whatever it is called.
 */

import {
  flatChildren,
  HTML,
  innerText,
  isElement,
  isHtml,
  namespaceURI,
  nextFlat,
  textContent,
} from '../dom.ts'
import { isInput, isSecret, isSelect, isTextField } from '../fields.ts'
import type { Scan } from '../scan.ts'
import { contentOf } from './content.ts'
import { aria } from './internals.ts'
import { type Naming, nameOf } from './name.ts'
import { isFocusable, roleOf } from './roles.ts'

const OPTIONS = 100

/** The value of an embedded control; undefined if it has none to give. */
export function embeddedValue(scan: Scan, element: Element, naming: Naming): string | undefined {
  const role = roleOf(scan, element)
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return typed(scan, element)
    case 'combobox':
      if (isTextField(element)) return typed(scan, element)
      return selected(scan, element, naming)
    case 'listbox':
      return selected(scan, element, naming)
    case 'slider':
    case 'spinbutton':
    case 'scrollbar':
    case 'progressbar':
    case 'meter':
      return ranged(element, role)
    case 'separator':
      return isFocusable(element) ? ranged(element, role) : undefined
    default:
      return undefined
  }
}

function typed(scan: Scan, element: Element): string | undefined {
  if (isTextField(element)) {
    // As many dots as characters, which is what a person sees. An empty field goes by its name.
    const secret = isSecret(scan.page, element)
    return (secret ? '•'.repeat(element.value.length) : element.value) || undefined
  }
  if (isInput(element)) return undefined
  return namespaceURI(element) === HTML
    ? innerText(element as HTMLElement)
    : (textContent(element) ?? '')
}

function selected(scan: Scan, element: Element, naming: Naming): string | undefined {
  const chosen: Element[] = []
  if (isSelect(element)) {
    chosen.push(...Array.from(element.selectedOptions).slice(0, OPTIONS))
  } else {
    collectSelected(scan, element, chosen, 0)
  }
  if (chosen.length > 0) {
    for (const option of chosen) naming.visited.add(option)
    return chosen.map((option) => nameOf(scan, option)).join(' ')
  }
  if (isSelect(element)) return ''
  // A box that opens a list shows what was chosen as its content.
  return roleOf(scan, element) === 'combobox' && isFocusable(element)
    ? contentOf(scan, element, naming)
    : undefined
}

function collectSelected(scan: Scan, list: Element, found: Element[], depth: number): void {
  const children = flatChildren(list)
  for (let node = nextFlat(children); node; node = nextFlat(children)) {
    if (found.length >= OPTIONS || depth > 10) return
    if (!isElement(node)) continue
    if (roleOf(scan, node) === 'option') {
      if (aria(node, 'aria-selected') === 'true') found.push(node)
    } else {
      collectSelected(scan, node, found, depth + 1)
    }
  }
}

function ranged(element: Element, role: string): string | undefined {
  const text = aria(element, 'aria-valuetext')
  if (text !== null) return text
  const value = number(element, 'aria-valuenow') ?? nativeNumber(element) ?? middle(element, role)
  // Chrome keeps such values with the precision of a `float`.
  return value === undefined ? undefined : String(Number(value.toPrecision(6)))
}

function nativeNumber(element: Element): number | undefined {
  if (isInput(element)) {
    return Number.isFinite(element.valueAsNumber) ? element.valueAsNumber : undefined
  }
  if (isHtml(element, 'meter')) return (element as HTMLMeterElement).value
  if (!isHtml(element, 'progress')) return undefined
  const progress = element as HTMLProgressElement
  return progress.position >= 0 ? progress.value : undefined
}

/** What ARIA says of a role whose value the author did not give. */
function middle(element: Element, role: string): number | undefined {
  if (isInput(element)) return undefined
  const low = number(element, 'aria-valuemin') ?? 0
  switch (role) {
    case 'slider':
    case 'scrollbar':
      return (low + (number(element, 'aria-valuemax') ?? 100)) / 2
    case 'separator':
      return 50
    case 'meter':
      return low
    case 'spinbutton':
      return 0
    default:
      return undefined
  }
}

function number(element: Element, name: string): number | undefined {
  const value = Number.parseFloat(aria(element, name) ?? '')
  return Number.isFinite(value) ? value : undefined
}
