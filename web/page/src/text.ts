/**
 * Page text made safe to print: cleaned, cut, quoted.
 *
 * Everything a page says goes through here before it stands in a line, so that no page can forge
 * a line, a ref or an instruction in invisible characters. Pure functions.
 */

export const NAME_LIMIT = 120
export const VALUE_LIMIT = 200
export const TEXT_LIMIT = 2000

/** Printable ASCII with single spaces inside: most text, needing no work. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** ASCII without controls: all a page in English has, and nothing in it is unseen. */
const ASCII = /^[\t-\r\x20-\x7e]*$/

/** What most other pages have besides: letters, punctuation and symbols that are all seen. */
const SEEN =
  /^[\t-\r\x20-\x7e\xa0-\xac\xae-\u034e\u0370-\u0600\u2010-\u2027\u2030-\u205e\u20a0-\u2bff\u3000-\u3163\u3165-\ud7ff]*$/

/** White space that is not one plain space: words are most often set apart by that. */
const LOOSE = /[^\S ][\s\u0085]*| [\s\u0085]+|\u0085[\s\u0085]*/g

/**
 * Characters nobody can see: controls, soft hyphen, bidirectional marks, zero-width, annotation
 * marks, the tag block and supplementary variation selectors (both carry hidden messages), private
 * use (icon fonts), unpaired surrogates (no JSON reader takes them).
 */
const UNSEEN =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Co}\p{Cs}]|\u00ad|\u034f|\u17b4|\u17b5|[\u{e0000}-\u{e0fff}]/gu

/** Zero-width joiners mean something only between two characters of a word or an emoji. */
const LONE_JOINER =
  /(?<!\p{L}|\p{M}|\p{Emoji}|\ufe0f)(?:\u200c|\u200d)+|(?:\u200c|\u200d)+(?!\p{L}|\p{M}|\p{Emoji})/gu

/** White space as single spaces, nothing invisible, no space at the ends. */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text
  // Classes of all of Unicode cost a millisecond to make ready, in each process: not for these.
  if (ASCII.test(text) || SEEN.test(text)) return text.replace(LOOSE, ' ').trim()
  return text.replace(UNSEEN, '').replace(LONE_JOINER, '').replace(LOOSE, ' ').trim()
}

/** At most `limit` characters, the last being `…` if anything was left out. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  let end = limit - 1
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end -= 1
  return `${text.slice(0, end).replace(/[\s\u200c\u200d]+$/, '')}…`
}

/** Between quotes, so that only a quote of ours can end it. */
export function quote(text: string): string {
  // Most text has neither.
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Page text ready to print: cleaned, cut and quoted. */
export function quoted(text: string, limit: number): string {
  return quote(cut(clean(text), limit))
}

/** What two texts are compared by when case does not matter. */
export function fold(text: string): string {
  return clean(text).toLowerCase()
}

/** No unpaired surrogates: what a string needs to leave the page as JSON. */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Cs}/gu, '\ufffd') : text
}

/** Length as a person counts it: characters, not code units. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/**
 * A word of page text inside a state (`[options: Oslo, Bergen]`): bare when it cannot be taken for
 * anything else, quoted otherwise.
 */
export function bare(text: string, limit: number): string {
  const short = cut(clean(text), limit)
  const harmless = ASCII.test(short) ? HARMLESS_ASCII.test(short) : HARMLESS.test(short)
  const plain = harmless && !/(^|\s)e\d/.test(short) && !STATE.test(short.toLowerCase())
  return plain ? short : quote(short)
}

const HARMLESS = /^[\p{L}\p{N}](?:[\p{L}\p{N} .'&+/%()…-]*[\p{L}\p{N}.+%)…])?$/u
/** The same, without the price of all letters there are. */
const HARMLESS_ASCII = /^[a-zA-Z0-9](?:[a-zA-Z0-9 .'&+/%()-]*[a-zA-Z0-9.+%)])?$/

/** What a state of ours looks like; a page's word must not be taken for one. */
const STATE =
  /^(scrolls|h\d|password|checked|mixed|selected|pressed|expanded|collapsed|current|disabled|readonly|required|invalid|focused|modal|hidden|loading|[\d.]+ (options?|items?|rows?|files?|characters?|to [\d.]+))$/
