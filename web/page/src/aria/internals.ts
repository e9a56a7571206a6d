/**
 * ARIA attributes, and what stands in for them: a custom element may set its role, name and states
 * through `ElementInternals`, which no other script can read.
 *
 * The engine asks Chrome about such elements (`snapshot/strangers.ts` says which) and hands over what
 * it hears as the attributes that would say the same. An attribute the author wrote comes first.
 */

import { attribute } from '../dom.ts'

/** Of an element, by attribute. */
export type Internals = ReadonlyMap<string, string>

const told = new WeakMap<Element, Internals>()
let any = false
/** Whether `aria-disabled` is among what was told; it reaches down, see `Scan.ariaDisabled`. */
let disabled = false

/** The value of `role` or an `aria-*` attribute, written by the author or set through internals. */
export function aria(element: Element, name: string): string | null {
  return attribute(element, name) ?? (any ? (told.get(element)?.get(name) ?? null) : null)
}

/** The role an element has of itself, as Chrome spells it, where it has no `role` attribute. */
export function internalRole(element: Element): string | undefined {
  return any ? told.get(element)?.get('role') : undefined
}

export function internalsOf(element: Element): Internals | undefined {
  return told.get(element)
}

/** Whether an element somewhere may be disabled by its internals. */
export function mayDisable(): boolean {
  return disabled
}

export function keepInternals(element: Element, internals: Internals): void {
  if (internals.size === 0) {
    told.delete(element)
    return
  }
  told.set(element, internals)
  any = true
  disabled ||= internals.has('aria-disabled')
}
