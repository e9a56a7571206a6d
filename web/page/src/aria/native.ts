/**
 * Names that the markup gives: labels, `alt`, captions, legends, button values, placeholders, titles
 * of drawings.
 */

import {
  attribute,
  elementInRoot,
  firstChild,
  HTML,
  isElement,
  isHtml,
  localName,
  namespaceURI,
  nextSibling,
  SVG,
  textContent,
} from '../dom.ts'
import { isTextField } from '../fields.ts'
import type { Scan } from '../scan.ts'
import { alternative, fromLabels, isHiddenLabel, type Naming } from './name.ts'
import { inputType, isEditingHost, roleOf } from './roles.ts'

/** The name its markup gives, perhaps an empty one; undefined if it gives none. */
export function nativeName(scan: Scan, element: Element, naming: Naming): string | undefined {
  const namespace = namespaceURI(element)
  if (namespace === SVG) return drawingTitle(element)
  if (namespace !== HTML) return undefined
  const name = localName(element)
  switch (name) {
    case 'input':
      return fromLabels(scan, element, naming) ?? inputName(element as HTMLInputElement)
    case 'textarea':
      return fromLabels(scan, element, naming) ?? hintOf(element)
    case 'button':
    case 'select':
    case 'meter':
    case 'output':
    case 'progress':
      return fromLabels(scan, element, naming)
    case 'img':
    case 'area':
      return attribute(element, 'alt') ?? undefined
    case 'fieldset':
      return partName(scan, childOf(element, 'legend'), naming)
    case 'table': {
      const caption = (element as HTMLTableElement).caption
      return partName(scan, caption, naming) ?? attribute(element, 'summary') ?? undefined
    }
    case 'optgroup': {
      const label = attribute(element, 'label')
      return label || partName(scan, childOf(element, 'legend'), naming) || undefined
    }
    case 'track':
      return attribute(element, 'label') || undefined
    case 'option':
      return optionName(element as HTMLOptionElement)
    default:
      if (name.includes('-')) {
        return fromLabels(scan, element, naming) ?? ariaPlaceholder(scan, element)
      }
      return ariaPlaceholder(scan, element)
  }
}

/** As its list shows it; an option with elements in it is read like other content. */
function optionName(option: HTMLOptionElement): string | undefined {
  if (attribute(option, 'label')) return option.label
  for (let node = firstChild(option); node; node = nextSibling(node)) {
    if (isElement(node)) return undefined
  }
  return option.label || undefined
}

/** What Chrome adds to the name of a file field inside another name. */
export function fileStatus(element: Element): string {
  if (!isHtml(element, 'input') || inputType(element) !== 'file') return ''
  const files = (element as HTMLInputElement).files
  if (!files || files.length === 0) return ': No file chosen'
  return files.length === 1 ? `: ${files[0]!.name}` : `: ${files.length} files`
}

function inputName(input: HTMLInputElement): string | undefined {
  switch (inputType(input)) {
    case 'submit':
      return attribute(input, 'value') ?? 'Submit'
    case 'reset':
      return attribute(input, 'value') ?? 'Reset'
    case 'button':
      return attribute(input, 'value') ?? undefined
    case 'image':
      return (
        attribute(input, 'alt') ||
        (attribute(input, 'value') ?? (attribute(input, 'title')?.trim() || 'Submit'))
      )
    case 'file':
      return input.multiple ? 'Choose Files' : 'Choose File'
    default:
      return isTextField(input) ? hintOf(input) : undefined
  }
}

/** A field without a label goes by its tooltip, then by the hint that stands in it. */
function hintOf(field: Element): string | undefined {
  const title = attribute(field, 'title')
  if (title && /\S/.test(title)) return title
  return attribute(field, 'placeholder') || attribute(field, 'aria-placeholder') || undefined
}

/** The hint of what is a field by its role, or because it is written in. */
function ariaPlaceholder(scan: Scan, element: Element): string | undefined {
  const hint = attribute(element, 'aria-placeholder')
  if (!hint) return undefined
  if (isEditingHost(element)) return hint
  const role = roleOf(scan, element)
  return role === 'textbox' || role === 'searchbox' ? hint : undefined
}

function partName(scan: Scan, part: Element | null, naming: Naming): string | undefined {
  if (!part) return undefined
  return isHiddenLabel(scan, part) ? '' : alternative(scan, part, naming)
}

function childOf(element: Element, name: string): Element | null {
  for (let node = firstChild(element); node; node = nextSibling(node)) {
    if (isElement(node) && localName(node) === name) return node
  }
  return null
}

/** The `<title>` of a drawing or a part of one, or of what a `<use>` shows. */
function drawingTitle(element: Element): string | undefined {
  const title = childOf(element, 'title')
  const text = title && textContent(title)
  if (text && /\S/.test(text)) return text
  switch (localName(element)) {
    case 'a':
      return attribute(element, 'xlink:title') || undefined
    case 'image':
      return attribute(element, 'alt') ?? undefined
    case 'use': {
      const href = attribute(element, 'href') ?? attribute(element, 'xlink:href') ?? ''
      const shown = href.startsWith('#') ? elementInRoot(element, href.slice(1)) : null
      const inner = shown && childOf(shown, 'title')
      return (inner && textContent(inner)) || undefined
    }
    default:
      return undefined
  }
}
