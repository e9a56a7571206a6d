/**
 * `draw`: puts marks on a picture, and paints over what it must not show.
 *
 * On a canvas that is in no document: the picture gets the marks, the page nothing.
 */

import type { Page } from '../page-state.ts'
import type { DrawRequest } from '../picture-messages.ts'

const SIZE = 12
const BLANK = '#808080'
const COLOURS = ['#c2185b', '#1565c0', '#2e7d32', '#6a1b9a', '#bf360c', '#00695c']

export async function draw(page: Page, request: DrawRequest): Promise<{ picture: string }> {
  const { window } = page
  const bytes = Uint8Array.from(window.atob(request.picture), (c) => c.charCodeAt(0))
  const picture = await window.createImageBitmap(new window.Blob([bytes]))
  const canvas = new window.OffscreenCanvas(picture.width, picture.height)
  const pen = canvas.getContext('2d')
  // The engine takes this for a failure: the picture may show what must not be seen.
  if (!pen) return { picture: '' }
  pen.drawImage(picture, 0, 0)
  pen.fillStyle = BLANK
  for (const [left, top, right, bottom] of request.blanks) {
    const [x, y] = [Math.floor(left) - 1, Math.floor(top) - 1]
    pen.fillRect(x, y, Math.ceil(right) + 1 - x, Math.ceil(bottom) + 1 - y)
  }
  pen.font = `bold ${SIZE}px sans-serif`
  pen.textBaseline = 'top'
  request.marks.forEach((mark, at) => {
    const colour = COLOURS[at % COLOURS.length] ?? '#c2185b'
    pen.strokeStyle = colour
    pen.lineWidth = 1
    pen.strokeRect(
      mark.x + 0.5,
      mark.y + 0.5,
      Math.max(mark.width - 1, 1),
      Math.max(mark.height - 1, 1),
    )
    // Inside the corner, or as near to it as the picture allows.
    const width = Math.ceil(pen.measureText(mark.label).width) + 4
    const height = SIZE + 2
    const x = Math.min(Math.max(mark.x, 0), Math.max(canvas.width - width, 0))
    const y = Math.min(Math.max(mark.y, 0), Math.max(canvas.height - height, 0))
    pen.fillStyle = colour
    pen.fillRect(x, y, width, height)
    pen.fillStyle = '#fff'
    pen.fillText(mark.label, x + 2, y + 1)
  })
  const blob = await canvas.convertToBlob({
    type: request.mime,
    ...(request.quality === undefined ? {} : { quality: request.quality }),
  })
  return { picture: base64(window, new Uint8Array(await blob.arrayBuffer())) }
}

function base64(window: Window, bytes: Uint8Array): string {
  let text = ''
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return window.btoa(text)
}
