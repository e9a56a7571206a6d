/** The same form in Angular: reactive controls; the name is put into capitals as it is written. */

import '@angular/compiler'
import { Component, provideZonelessChangeDetection } from '@angular/core'
import { FormControl, FormGroup, ReactiveFormsModule } from '@angular/forms'
import { bootstrapApplication } from '@angular/platform-browser'
import { FIRST, TYPES } from '../fields.js'

function field(name, type) {
  if (type === 'textarea') return `<textarea id="${name}" formControlName="${name}"></textarea>`
  if (type === 'select')
    return `<select id="${name}" formControlName="${name}"><option value=""></option><option>osl</option><option>par</option></select>`
  return `<input id="${name}" type="${type}" formControlName="${name}">`
}

const template = Object.entries(TYPES)
  .map(([name, type]) => `<p><label>${name} ${field(name, type)}</label></p>`)
  .join('')

class Form {
  form = new FormGroup(
    Object.fromEntries(
      Object.entries(FIRST).map(([name, value]) => [name, new FormControl(value)]),
    ),
  )

  constructor() {
    window.state = () => this.form.value
    const { name } = this.form.controls
    name.valueChanges.subscribe((value) => {
      if (value !== value.toUpperCase()) name.setValue(value.toUpperCase())
    })
  }
}

const Root = Component({
  selector: '#app',
  imports: [ReactiveFormsModule],
  template: `<form [formGroup]="form">${template}</form>`,
})(Form)

bootstrapApplication(Root ?? Form, { providers: [provideZonelessChangeDetection()] })
