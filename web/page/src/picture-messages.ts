/**
 * What the engine asks and the page code answers for pictures: where things are, what to draw over
 * them, which fields to blank. The rest is in `messages.ts`.
 */

export interface BoxesRequest {
  ids: number[]
}

/** A number and the box of its element in this frame's viewport, for each that can be seen. */
export type Boxes = [id: number, x: number, y: number, width: number, height: number][]

export interface DrawRequest {
  /** The picture, base64. */
  picture: string
  mime: string
  quality?: number
  marks: { label: string; x: number; y: number; width: number; height: number }[]
  /** What is painted over: left, top, right, bottom. */
  blanks: [left: number, top: number, right: number, bottom: number][]
}

export interface FieldsShownRequest {
  /** Elements that were given a secret, fields or not. */
  ids: number[]
  /** Whether all the document says is wanted, wherever it is. */
  whole: boolean
}

/** What stands in it, its number if it was asked for by that, and where it is drawn in this frame. */
export type FieldShown = [
  text: string,
  id: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
]

export interface FieldsShown {
  fields: FieldShown[]
  /** The title and the markup, if the whole was asked for. */
  rest: string
  /** Whether there is more than can be looked at. */
  tooMuch: boolean
}
