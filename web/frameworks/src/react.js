/** A form of React whose fields show its state and nothing else; the name is kept in capitals. */

import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { FIRST, TYPES } from '../fields.js'

function Form() {
  const [state, setState] = useState(FIRST)
  window.state = () => state
  window.renders = (window.renders ?? 0) + 1
  const set = (name, value) => setState((old) => ({ ...old, [name]: value }))
  const input = (name) => {
    const type = TYPES[name]
    if (type === 'checkbox') {
      const onChange = (event) => set(name, event.target.checked)
      return h('input', { id: name, type, checked: state[name], onChange })
    }
    const onChange = (event) =>
      set(name, name === 'name' ? event.target.value.toUpperCase() : event.target.value)
    if (type === 'textarea') return h('textarea', { id: name, value: state[name], onChange })
    if (type === 'select') {
      const options = ['', 'osl', 'par'].map((value) => h('option', { key: value, value }, value))
      return h('select', { id: name, value: state[name], onChange }, options)
    }
    return h('input', { id: name, type, value: state[name], onChange })
  }
  const fields = Object.keys(TYPES).map((name) =>
    h('p', { key: name }, h('label', null, name, ' ', input(name))),
  )
  return h('form', null, fields)
}

createRoot(document.getElementById('app')).render(h(Form))
