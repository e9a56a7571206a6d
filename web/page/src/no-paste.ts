/**
 * The entry of `no-paste.js`, for a Chrome without windows: what its keyboard would paste from the clipboard
 * that all its sessions share goes nowhere, and no page hears of it. `ops/paste.ts` pastes instead.
 */

window.addEventListener(
  'paste',
  (event) => {
    if (!event.isTrusted) return
    event.stopImmediatePropagation()
    event.preventDefault()
  },
  true,
)
