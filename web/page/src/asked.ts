/**
 * What the page would ask a person for where nobody is: a printer, a permission.
 *
 * Chrome tells nobody of either. `beforeprint` comes to our world as to any; a permission that a
 * page asks for is denied by Chrome, and its status, of which we hold our own, changes. One that
 * was denied before is not asked for again.
 */

import type { Page } from './page-state.ts'

/** Those Chrome asks about; what it does not know is passed over. */
const PERMISSIONS = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'midi',
  'local-fonts',
  'window-management',
  'idle-detection',
  'local-network-access',
]
/** A page that prints in a loop is told of this often. */
const MOST = 20

/**
 * Begins to listen, once in a document: before the first action, but also as soon as the page is idle,
 * since the questions and answers take both processes 3 ms, between a press and what comes of it.
 */
export function heed(page: Page): void {
  if (page.asked) return
  const asked: string[] = []
  page.asked = asked
  const note = (what: string) => {
    if (asked.length < MOST) asked.push(what)
  }
  page.window.addEventListener('beforeprint', () => note('print'), { capture: true })
  // Without a secure context there are none.
  const permissions = page.window.navigator.permissions as Permissions | undefined
  if (!permissions) return
  for (const name of PERMISSIONS) {
    const heard = (status: PermissionStatus) => {
      status.onchange = () => {
        if (status.state === 'denied') note(name)
      }
    }
    permissions.query({ name: name as PermissionName }).then(heard, () => {})
  }
}

/** Before an action: what the page has asked for by itself until the first one is not told of. */
export function heedAction(page: Page): void {
  heed(page)
  if (page.acted) return
  page.acted = true
  page.asked?.splice(0)
}

/** What was asked for since this was last called. */
export function takeAsked(page: Page): string[] | undefined {
  return page.asked?.length ? page.asked.splice(0) : undefined
}
