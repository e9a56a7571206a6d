/** Addresses as a line shows them. Pure functions. */

import { clean, cut } from './text.ts'

const URL_LIMIT = 80
const QUERY_LIMIT = 40
const DATA_LIMIT = 30

/** A path that stays what it is when resolved: most links of most pages. */
const PLAIN_PATH = /^\/(?:[\w~@!$&+,;=:%-][\w.~@!$&+,;=:%-]*\/?)*(?:\?[\w.~@!$&+,;=:%/-]*)?$/

/** Where a link leads: path and query on the same origin, else all of it; empty for `#…`. */
export function linkAddress(href: string, document: string, base = document): string {
  if (!href || href.startsWith('#')) return ''
  if (document === base && href.length < 200 && isWeb(document) && PLAIN_PATH.test(href)) {
    const query = href.indexOf('?')
    return query < 0 ? cut(href, URL_LIMIT) : path(href.slice(0, query), href.slice(query))
  }
  const url = parse(href, base)
  const here = parse(document)
  if (!url || url.protocol === 'javascript:') return ''
  if (here && url.hash && sameDocument(url, here)) return ''
  if (here && url.origin === here.origin && url.origin !== 'null') {
    return path(url.pathname, url.search)
  }
  return wholeAddress(url.href)
}

/** A whole address in one word, for the engine to cut. */
export function safeAddress(href: string): string {
  return printable(href, 2000)
}

/** A whole address, cut. */
export function wholeAddress(href: string): string {
  return printable(href, /^(data|blob):/i.test(href) ? DATA_LIMIT : URL_LIMIT)
}

/** Whether going there runs a script that does something. */
export function runsScript(href: string | null): boolean {
  // Nearly all addresses are none of these, and a walk up from a press asks for many.
  const url = href?.includes(':') ? parse(href) : undefined
  if (url?.protocol !== 'javascript:') return false
  try {
    return !NOTHING.test(decodeURIComponent(url.href.slice('javascript:'.length)))
  } catch {
    return true
  }
}

/**
 * Scripts that do nothing: menus that live by their listeners have one in place of an address. A value
 * that is no text is dropped, `return` outside a function does not parse, a comment ends with its line.
 */
const VALUE = String.raw`(?:undefined|null|true|false|\d+)`
const STATEMENT = String.raw`(?:${VALUE}|void\s*\(\s*${VALUE}?\s*\)|void\s+${VALUE}|return(?:\s+${VALUE})?)`
const COMMENT = String.raw`(?://[^\n\r\u2028\u2029]*)`
const NOTHING = new RegExp(String.raw`^\s*${STATEMENT}?\s*(?:;\s*)*${COMMENT}?$`)

function path(pathname: string, search: string): string {
  return printable(pathname + cut(search, QUERY_LIMIT), URL_LIMIT)
}

function isWeb(address: string): boolean {
  return address.startsWith('http')
}

function sameDocument(url: URL, here: URL): boolean {
  return url.origin === here.origin && url.pathname === here.pathname && url.search === here.search
}

function parse(href: string, base?: string): URL | undefined {
  try {
    return new URL(href, base)
  } catch {
    return undefined
  }
}

/** An address stands without quotes, so it may hold no white space and no quote. */
function printable(address: string, limit: number): string {
  const safe = clean(address).replace(/[ "\\]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return cut(safe, limit)
}
