/**
 * Text that style sheets put before and after content.
 *
 * Asking every element for its `::before` and `::after` costs as much as all its other styles
 * together. So the sheets are read once: only an element whose name, id or a class occurs in the
 * subject of a rule that sets `content` is asked. A sheet we may not read makes everybody asked.
 */

import { attribute, flatParent, isHtml, localName, styleSheetsOf } from '../dom.ts'
import { applyTransform } from './transform.ts'

/** What stands before or after the content of an element. */
export interface Piece {
  text: string
  /** Not part of the line of text. */
  apart: boolean
  /** On a line of its own. */
  block: boolean
  /** The author's words for it, kept apart from what is beside them. */
  alternative: boolean
}

type Where = '::before' | '::after'

export interface Generated {
  /** What stands before and after the content of an element; undefined for nearly all of them. */
  pieces(element: Element): Pieces | undefined
  /** The author's words for a picture that replaces an element. */
  replacement(element: Element): string | undefined
}

export interface Pieces {
  before: Piece | undefined
  after: Piece | undefined
}

/** What an element must have one of for a rule to mean it. */
interface Subjects {
  /** A rule that any element may meet. */
  any: boolean
  names: Set<string>
  ids: Set<string>
  classes: Set<string>
}

interface Sheet {
  /** By which a change is noticed. */
  rules: number
  last: CSSRule | undefined
  /** Of rules that set `content` before or after something. */
  around: Subjects
  /** Of rules that put a picture with words for it in the place of something. */
  instead: Subjects
}

/** A sheet is read again only when rules came or went; one replaced is a new object. */
const sheets = new WeakMap<CSSStyleSheet, Sheet>()

export function createGenerated(window: Window, roots: () => (Document | ShadowRoot)[]): Generated {
  const known = new Map<Element, Pieces | undefined>()
  let all: Sheet | undefined

  function load(): Sheet {
    if (!all) {
      all = emptySheet()
      for (const root of roots()) {
        for (const sheet of styleSheetsOf(root)) add(all, readSheet(sheet))
      }
    }
    return all
  }

  return {
    pieces(element) {
      const { around } = all ?? load()
      if (!isMeant(around, element) && !isHtml(element, 'q')) return undefined
      if (known.has(element)) return known.get(element)
      const before = readPiece(window, element, '::before')
      const after = readPiece(window, element, '::after')
      const pieces = before || after ? { before, after } : undefined
      known.set(element, pieces)
      return pieces
    },
    replacement(element) {
      const { instead } = all ?? load()
      if (!isMeant(instead, element)) return undefined
      const value = window.getComputedStyle(element).content
      return /^url\(/.test(value) ? alternativeOf(value, element, undefined) : undefined
    },
  }
}

function isMeant(subjects: Subjects, element: Element): boolean {
  if (subjects.any) return true
  const { names, ids, classes } = subjects
  if (names.size > 0 && names.has(localName(element))) return true
  if (classes.size > 0) {
    const own = attribute(element, 'class')
    if (own) {
      if (classes.has(own)) return true
      if (/\s/.test(own) && own.split(/\s+/).some((one) => classes.has(one))) return true
    }
  }
  return ids.size > 0 && ids.has(attribute(element, 'id') ?? '')
}

function emptySheet(rules = 0, last?: CSSRule): Sheet {
  const none = () => ({ any: false, names: new Set<string>(), ids: new Set<string>() })
  return {
    rules,
    last,
    around: { ...none(), classes: new Set() },
    instead: { ...none(), classes: new Set() },
  }
}

function add(to: Sheet, from: Sheet): void {
  for (const kind of ['around', 'instead'] as const) {
    to[kind].any ||= from[kind].any
    for (const of of ['names', 'ids', 'classes'] as const) {
      for (const subject of from[kind][of]) to[kind][of].add(subject)
    }
  }
}

function readSheet(sheet: CSSStyleSheet): Sheet {
  let rules: CSSRuleList
  try {
    rules = sheet.cssRules
  } catch {
    // A sheet of another site: everybody may be meant.
    const unreadable = emptySheet()
    unreadable.around.any = true
    return unreadable
  }
  const known = sheets.get(sheet)
  const last = rules[rules.length - 1]
  if (known && known.rules === rules.length && known.last === last) return known
  const read = emptySheet(rules.length, last)
  readRules(rules, read, 0)
  sheets.set(sheet, read)
  return read
}

const MOST = 5000

function readRules(rules: CSSRuleList, into: Sheet, depth: number): void {
  const count = rules.length
  // To read more would take longer than to ask the elements.
  if (count > MOST) into.around.any = true
  for (let at = 0; at < count && !into.around.any; at += 1) {
    const rule = rules[at] as CSSStyleRule & CSSImportRule & CSSGroupingRule
    if (rule.style && rule.selectorText) readRule(rule, into)
    if (rule.styleSheet) add(into, readSheet(rule.styleSheet))
    if (rule.cssRules?.length && depth < 10) readRules(rule.cssRules, into, depth + 1)
  }
}

function readRule(rule: CSSStyleRule, into: Sheet): void {
  const content = rule.style.content
  if (!content || content === 'none' || content === 'normal') return
  const selectors = shielded(rule.selectorText)
  const around = /:before|:after/.test(selectors)
  if (!around && !(/url\(|image/.test(content) && content.includes('/'))) return
  const subjects = around ? into.around : into.instead
  // What stands in brackets may hold commas, and a nested rule may mean any subject.
  if (/[(&[]/.test(selectors)) {
    subjects.any = true
    return
  }
  for (const selector of selectors.split(',')) {
    const subject = subjectOf(selector)
    if (subject === '*') subjects.any = true
    else if (subject.startsWith('.')) subjects.classes.add(subject.slice(1))
    else if (subject.startsWith('#')) subjects.ids.add(subject.slice(1))
    else subjects.names.add(subject)
  }
}

/** First of the private characters that stand for escaped ones. */
const SHIELD = 0xe000

/** A selector whose escaped characters cannot be taken for its own signs. */
export function shielded(selectors: string): string {
  if (!selectors.includes('\\')) return selectors
  return selectors.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, code, sign) => {
    const point = code ? Number.parseInt(code, 16) : sign.codePointAt(0)
    return String.fromCodePoint(point < 128 ? SHIELD + point : point)
  })
}

/** The class, id or name that an element must have for a selector to mean it. */
export function subjectOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .pop() ?? ''
  const compound = last.replace(/:.*$/s, '')
  const named = /[.#][^.#*|]+$/.exec(compound)?.[0]
  if (named) {
    return named.replace(/[\ue000-\ue07f]/g, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - SHIELD),
    )
  }
  return /^[a-z][\w-]*$/i.test(compound) ? compound.toLowerCase() : '*'
}

function readPiece(window: Window, element: Element, where: Where): Piece | undefined {
  const style = window.getComputedStyle(element, where)
  const value = style.content
  if (!value || value === 'none' || value === 'normal') return undefined
  const display = style.display
  if (display === 'none' || style.visibility !== 'visible') return undefined
  const alternative = alternativeOf(value, element, style)
  const quotes = value.includes('-quote') ? quotesOf(style, element) : undefined
  const text =
    alternative ??
    applyTransform(
      contentStrings(value, (name) => attribute(element, name) ?? '', quotes),
      style.textTransform,
    )
  return {
    text,
    apart: display !== 'inline',
    block: !display.startsWith('inline') && display !== 'contents',
    alternative: alternative !== undefined,
  }
}

/** Strings, attributes and functions of a `content` property, and the `/` before words for it. */
const TOKEN =
  /"((?:[^"\\]|\\.)*)"|attr\(\s*([^),\s]+)[^)]*\)|url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)|(open|close)-quote|(\/)/g

function alternativeOf(
  value: string,
  element: Element,
  style: CSSStyleDeclaration | undefined,
): string | undefined {
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(value); found; found = TOKEN.exec(value)) {
    if (!found[4]) continue
    const rest = value
      .slice(TOKEN.lastIndex)
      .replace(/counters?\(([\w-]+)[^)]*\)/g, (_, name) => `"${counted(style, name)}"`)
    return contentStrings(rest, (name) => attribute(element, name) ?? '')
  }
  return undefined
}

/** A counter that is set where it is shown; the count of another is Chrome's alone. */
function counted(style: CSSStyleDeclaration | undefined, name: string): string {
  const of = (list = '') => {
    const at = list.split(' ').indexOf(name)
    return at < 0 ? undefined : Number(list.split(' ')[at + 1])
  }
  const set = of(style?.counterSet)
  if (set !== undefined) return String(set)
  const reset = of(style?.counterReset)
  return reset === undefined ? '' : String(reset + (of(style?.counterIncrement) ?? 0))
}

/** The text of a `content` property. Counters are not read, as in Chrome's names. */
export function contentStrings(
  value: string,
  attr: (name: string) => string,
  quotes: readonly [string, string] = ['“', '”'],
): string {
  const parts: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(value); found; found = TOKEN.exec(value)) {
    if (found[1] !== undefined) parts.push(found[1].replace(/\\(.)/g, '$1'))
    else if (found[2]) parts.push(attr(found[2]))
    else if (found[3]) parts.push(quotes[found[3] === 'open' ? 0 : 1])
  }
  return parts.join('')
}

function quotesOf(style: CSSStyleDeclaration, element: Element): readonly [string, string] {
  let depth = 0
  for (let at = flatParent(element); at && depth < 8; at = flatParent(at)) {
    if (isHtml(at, 'q')) depth += 1
  }
  const own = Array.from(style.quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g), (found) => found[1]!)
  if (own.length < 2) return depth % 2 === 0 ? ['“', '”'] : ['‘', '’']
  const pair = Math.min(depth, own.length / 2 - 1) * 2
  return [own[pair]!, own[pair + 1]!]
}
