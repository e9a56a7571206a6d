/**
 * The entry of `own-world.js`, the one piece of ours that stays in the page's own world: tells our world what
 * the page has written to the clipboard with `navigator.clipboard`, of which no event tells.
 *
 * It runs before any script of the page and holds everything it uses, so that a page cannot get in
 * between; what it wraps looks and fails as before.
 */

import { HELLO } from './clipboard.ts'

if (typeof Clipboard === 'function') {
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect
  const { stringify } = JSON
  const Told = CustomEvent
  const dispatch = window.dispatchEvent
  const then = Promise.prototype.then
  const name = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-')
  const send = (event: string, detail: string) =>
    apply(dispatch, window, [new Told(event, { detail })])
  const tell = (text: string, html: string | null) => send(name, stringify([text, html]))

  const wrap = (
    method: 'write' | 'writeText',
    hear: (argument: unknown) => void | Promise<void>,
  ) => {
    const was = getOwnPropertyDescriptor(Clipboard.prototype, method)
    if (!was?.value) return
    const value = new Proxy(was.value, {
      apply(own, self, given) {
        // What Chrome refuses was not copied; who waits for it hears that from Chrome.
        return apply(then, apply(own, self, given), [() => hear(given[0])])
      },
    })
    defineProperty(Clipboard.prototype, method, { ...was, value })
  }

  send(HELLO, name)
  wrap('writeText', (text) => {
    tell(`${text}`, null)
  })
  wrap('write', async (items) => {
    try {
      const [item] = items as ClipboardItem[]
      const read = async (type: string) =>
        item?.types.includes(type) ? await (await item.getType(type)).text() : null
      const [text, html] = [await read('text/plain'), await read('text/html')]
      if (text !== null || html !== null) tell(text ?? '', html)
    } catch {
      // Not what Chrome would have accepted.
    }
  })
}
