/** The shape of `manifest.json`: the registry for programs that make tools of it. */

import type { Preset } from './generated/index.ts'

/** A JSON Schema (2020-12) of an object. */
export interface ObjectSchema {
  type: 'object'
  properties: Record<string, unknown>
  required?: string[]
}

/** A call, and what it shows. */
export interface ManifestExample {
  says: string
  args: Record<string, unknown>
  /** The code of the error it ends with. */
  fails?: string
}

/** One action. */
export interface ManifestAction {
  name: string
  tool: string
  aliases: string[]
  group: string
  presets: Preset[]
  access: 'reads' | 'changes'
  description: string
  inputSchema: ObjectSchema
  examples: ManifestExample[]
  /** A JSON Schema of what it answers with, where that is known. */
  resultSchema?: unknown
}

/** The registry. */
export interface Manifest {
  protocolVersion: string
  /** What every model is told about refs and workflow. */
  guide: string
  /** Parameters that every call accepts, by name. */
  callParameters: Record<string, unknown>
  /** Names of actions, in the order in which tools are listed. */
  presets: Record<Preset, string[]>
  actions: ManifestAction[]
}
