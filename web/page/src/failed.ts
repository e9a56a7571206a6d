/** The one shape of every "it did not work". */

import type { Failed, Why } from './messages.ts'

export function failed(why: Why, more: Partial<Omit<Failed, 'is' | 'why'>> = {}): Failed {
  return { is: 'failed', why, similar: [], matched: 0, options: [], ...more }
}
