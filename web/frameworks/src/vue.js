/** The same form in Vue: `v-model` throughout, the name by hand so that it is kept in capitals. */

import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js'
import { FIRST, TYPES } from '../fields.js'

const state = reactive({ ...FIRST })
window.state = () => ({ ...state })

function field(name, type) {
  if (name === 'name')
    return `<input id="name" :value="name" @input="name = $event.target.value.toUpperCase()">`
  if (type === 'textarea') return `<textarea id="${name}" v-model="${name}"></textarea>`
  if (type === 'select')
    return `<select id="${name}" v-model="${name}"><option value=""></option><option>osl</option><option>par</option></select>`
  return `<input id="${name}" type="${type}" v-model="${name}">`
}

const template = Object.entries(TYPES)
  .map(([name, type]) => `<p><label>${name} ${field(name, type)}</label></p>`)
  .join('')
createApp({ data: () => state, template: `<form>${template}</form>` }).mount('#app')
