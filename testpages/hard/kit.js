/**
 * The kit every hard page has, so that one loop can run every action on all of them:
 * a button `Kit button`, a field `Kit field`, a text `Kit text`, and two outputs
 * (`testid=kit-clicks`, `testid=kit-value`) that show which trusted events arrived.
 *
 * Loaded before anything else: it keeps the natives it needs, because some pages
 * replace them all. `kit.traces()` says which marks somebody else has left.
 */
const kit = (() => {
  const { apply, ownKeys } = Reflect
  const setText = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set
  const getValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').get
  const isTrusted = (event) => event.isTrusted
  const { getAttributeNames } = Element.prototype
  const { createElement, querySelectorAll } = Document.prototype
  const listen = EventTarget.prototype.addEventListener
  const toText = String
  const keys = new Set()
  const attributes = new Set()
  const has = Set.prototype.has
  const add = Set.prototype.add

  const kit = { clicks: 0, value: '' }

  /** Puts the kit at the end of `root`: an element or a shadow root. */
  kit.put = (root) => {
    const section = apply(createElement, document, ['section'])
    section.innerHTML =
      '<p>Kit text</p>' +
      '<p><label for="kit-field">Kit field</label> <input id="kit-field" autocomplete="off"> <button type="button">Kit button</button></p>' +
      '<p><output data-testid="kit-clicks">0</output> <output data-testid="kit-value"></output></p>'
    const [clicks, value] = section.querySelectorAll('output')
    const field = section.querySelector('input')
    apply(listen, section.querySelector('button'), ['click', (event) => {
      if (isTrusted(event)) apply(setText, clicks, [toText(++kit.clicks)])
    }])
    apply(listen, field, ['input', (event) => {
      if (isTrusted(event)) apply(setText, value, [(kit.value = apply(getValue, field, []))])
    }])
    root.append(section)
    kit.remember()
  }

  /** Remembers the globals and attribute names there are: the page's own. */
  kit.remember = () => {
    look((name) => apply(add, keys, [name]), (name) => apply(add, attributes, [name]))
  }

  /** Globals and attribute names that the page did not make, separated by spaces. */
  kit.traces = () => {
    let found = ''
    const note = (what) => { found += found ? ` ${what}` : what }
    look(
      (name) => { if (!apply(has, keys, [name])) note(`global:${toText(name)}`) },
      (name) => { if (!apply(has, attributes, [name])) note(`attribute:${name}`) },
    )
    return found
  }

  /** Calls back for each global and each attribute name of the document; uses natives only. */
  function look(onGlobal, onAttribute) {
    const globals = ownKeys(window)
    for (let i = 0; i < globals.length; i++) onGlobal(globals[i])
    const elements = apply(querySelectorAll, document, ['*'])
    for (let i = 0; i < elements.length; i++) {
      const names = apply(getAttributeNames, elements[i], [])
      for (let j = 0; j < names.length; j++) onAttribute(names[j])
    }
  }

  kit.remember()
  return kit
})()
