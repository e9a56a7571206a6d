/**
 * `pageTools`: the tools that this document declares for agents (WebMCP), cut to what can be told.
 *
 * The browser's list holds those of other frames of the same origin too; each is asked for its own.
 */

import { modelContext } from '../dom.ts'
import type { PageToolsReply, PageToolsRequest } from '../messages.ts'
import type { Page } from '../page-state.ts'
import { wellFormed } from '../text.ts'

/** A tool as the browser lists it. */
interface Declared {
  name: string
  description: string
  inputSchema?: object
  origin: string
  window: Window
}

export async function pageTools(page: Page, request: PageToolsRequest): Promise<PageToolsReply> {
  const { name } = request
  const all = (await declared(page)).filter((tool) => name == null || tool.name === name)
  const tools = all.slice(0, request.most).map((tool) => ({
    name: cut(tool.name, request.longestText),
    origin: tool.origin,
    description: cut(tool.description, request.longestText),
    schema: schemaOf(tool, request.longestSchema),
  }))
  return { tools, more: all.length - tools.length }
}

async function declared(page: Page): Promise<Declared[]> {
  try {
    const tools: Declared[] = await modelContext(page.document).getTools()
    return tools.filter((tool) => tool.window === page.window)
  } catch {
    // The browser knows of no tools, or this document may have none.
    return []
  }
}

function cut(text: string, longest: number): string {
  return wellFormed(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** As JSON: `{}` if it takes anything, nothing if it is too long. */
function schemaOf(tool: Declared, longest: number): string {
  const schema = JSON.stringify(tool.inputSchema ?? {})
  return schema.length > longest ? '' : schema
}
