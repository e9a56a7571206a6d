/** What every conversation pays for before it begins, in tokens. */

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import json from '../manifest.json'
import { skill } from '../skill.json'
import type { Manifest, ManifestAction } from './manifest.ts'

const manifest = json as unknown as Manifest

/** A tool as MCP lists it; `btcp-servers` proves that it does so. */
function mcpTool(name: string) {
  const action = manifest.actions.find((action) => action.name === name) as ManifestAction
  const { tool, description, inputSchema } = action
  const annotations = action.access === 'reads' ? { readOnlyHint: true } : undefined
  return { name: tool, description, inputSchema, annotations }
}

function tokens(text: string) {
  return encode(text).length
}

test('the default tool list costs at most 2,400 tokens', () => {
  const tools = manifest.presets.agent.map(mcpTool)
  const cost = tokens(JSON.stringify(tools))
  console.info(`tools of agent: ${tools.length}, ${cost} o200k tokens of 2400`)
  expect(tools.length).toBeLessThanOrEqual(24)
  expect(cost).toBeLessThanOrEqual(2400)
})

test('it does so too where every tool can name its session', () => {
  const tools = [...manifest.presets.agent, 'session'].map(mcpTool).map((tool) => ({
    ...tool,
    inputSchema: {
      ...tool.inputSchema,
      properties: { ...(tool.inputSchema.properties as object), session: { type: 'string' } },
    },
  }))
  const cost = tokens(JSON.stringify(tools))
  console.info(`tools of agent and session: ${tools.length}, ${cost} o200k tokens of 2400`)
  expect(cost).toBeLessThanOrEqual(2400)
})

test('the guide costs at most 350 tokens', () => {
  const cost = tokens(manifest.guide)
  console.info(`guide: ${cost} o200k tokens of 350`)
  expect(cost).toBeLessThanOrEqual(350)
})

test('the guide for agents with a shell costs at most 1,500 tokens', () => {
  const cost = tokens(skill)
  console.info(`skill: ${cost} o200k tokens of 1500`)
  expect(skill).toContain('name: btcp')
  expect(cost).toBeLessThanOrEqual(1500)
})
