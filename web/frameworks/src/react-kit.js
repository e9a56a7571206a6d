/**
 * The kit of the hard pages (`testpages/hard/kit.js`) as React renders it, below a list whose rows change places.
 *
 * While nobody is at it, every 50 ms a new key makes all its nodes anew; the rows of the list keep theirs and move.
 * Whatever changes its state renders it again. `kit.renders` counts.
 */

import { createElement as h, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

/* global kit */
kit.renders = 0

const CONTROLS = 'button, input, select'
const ROWS = ['Row 1', 'Row 2', 'Row 3']

/** Counts up while nobody presses anything or has the focus in the kit. */
function useTurns() {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let pressed = false
    const press = (event) => {
      pressed = event.type === 'mousedown'
    }
    const types = ['mousedown', 'mouseup', 'dragend']
    for (const type of types) document.addEventListener(type, press, true)
    const timer = setInterval(() => {
      const held = document.querySelector('section')?.contains(document.activeElement)
      // At once: nothing is made anew between a press and its release.
      if (!pressed && !held) flushSync(() => setTurn((last) => last + 1))
    }, 50)
    return () => {
      clearInterval(timer)
      for (const type of types) document.removeEventListener(type, press, true)
    }
  }, [])
  return turn
}

function Kit() {
  const turn = useTurns()
  const [state, setState] = useState({ clicks: 0, value: '', box: false, choice: 'first' })
  const [felt, setFelt] = useState({ focus: 'nobody', pointer: 'nobody' })
  kit.renders++
  const set = (event, part) => {
    if (event.nativeEvent.isTrusted || 'choice' in part) setState((old) => ({ ...old, ...part }))
  }
  useEffect(() => {
    const tools = document.modelContext
    if (!tools) return
    const execute = ({ kind }) => {
      const value = kind ?? 'something'
      setState((old) => ({ ...old, value }))
      return value
    }
    const inputSchema = { type: 'object', properties: { kind: { type: 'string' } } }
    tools.registerTool({ name: 'order_tea', description: 'Kit tool', inputSchema, execute })
  }, [])
  const reaches = (what) => (event) => {
    const control = event.target.closest(CONTROLS)
    if (control) setFelt((old) => ({ ...old, [what]: control.localName }))
  }
  const rows = ROWS.map((_, at) => ROWS[(at + turn) % ROWS.length])
  const list = h('ul', { key: 'list' }, ...rows.map((name) => h('li', { key: name }, name)))
  const press = (event) => {
    if (event.nativeEvent.isTrusted) setState((old) => ({ ...old, clicks: old.clicks + 1 }))
  }
  const picture = { alt: 'Kit picture', title: 'Kit picture', width: 16, height: 16 }
  const field = {
    id: 'kit-field',
    placeholder: 'Kit hint',
    autoComplete: 'off',
    value: state.value,
    onChange: (event) => set(event, { value: event.target.value }),
  }
  const box = {
    id: 'kit-box',
    type: 'checkbox',
    checked: state.box,
    onChange: (event) => set(event, { box: event.target.checked }),
  }
  const choice = {
    id: 'kit-choice',
    value: state.choice,
    onChange: (event) => set(event, { choice: event.target.value }),
  }
  const shown = `${state.clicks} clicks, value ${state.value || 'empty'}, box ${state.box}, choice ${state.choice}`
  const label = (id, text) => h('label', { htmlFor: id }, text)
  const section = h(
    'section',
    { key: turn, onFocus: reaches('focus'), onMouseOver: reaches('pointer') },
    h('p', null, 'Kit text'),
    h('p', null, h('img', picture)),
    h(
      'p',
      null,
      label('kit-field', 'Kit field'),
      ' ',
      h('input', field),
      ' ',
      h('button', { type: 'button', onClick: press }, 'Kit button'),
    ),
    h(
      'p',
      null,
      label('kit-box', 'Kit box'),
      ' ',
      h('input', box),
      ' ',
      label('kit-choice', 'Kit choice'),
      ' ',
      h('select', choice, h('option', null, 'first'), h('option', null, 'hello')),
    ),
    h(
      'p',
      null,
      h('output', { 'data-testid': 'kit-state' }, shown),
      ' ',
      h(
        'output',
        { 'data-testid': 'kit-felt' },
        `focus on ${felt.focus}, pointer on ${felt.pointer}`,
      ),
    ),
  )
  useEffect(() => kit.remember(), [])
  return [list, section]
}

window.log = []
createRoot(document.getElementById('app')).render(h(Kit))
