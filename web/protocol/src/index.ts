/**
 * `@btcp/protocol`: what can be asked of btcp and what comes back, as types.
 *
 * Nothing here exists at run time. The types of actions are generated from the registry; what
 * is written by hand is the shape of the manifest, which holds the same registry as data.
 */

import type { Actions, CallParams } from './generated/index.ts'

export type * from './generated/index.ts'
export type * from './manifest.ts'

/** The name of an action. */
export type ActionName = keyof Actions

/** What a call of an action may carry. */
export type Params<Name extends ActionName> = Actions[Name]['params'] & CallParams

/** What a call of an action answers with. */
export type Result<Name extends ActionName> = Actions[Name]['result']
