/** `rememberRoots`: closed shadow roots the engine found; how many are news. */

import { rememberRoot } from '../dom.ts'
import type { Page } from '../page-state.ts'

export function rememberRoots(_page: Page, _request: unknown, roots: readonly Node[]): number {
  let news = 0
  for (const root of roots) if (rememberRoot(root as ShadowRoot)) news += 1
  return news
}
