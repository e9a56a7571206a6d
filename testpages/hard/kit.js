/**
 * The kit every hard page has, so that one loop can run every action on all of them: a text `Kit text`, an image
 * `Kit picture`, a field `Kit field` (placeholder `Kit hint`), a button `Kit button`, a check box `Kit box`, a select `Kit choice` (`first`,
 * `hello`), a tool `order_tea`, and an output (`testid=kit-state`) that shows what reached them: only trusted events count, except for the
 * select, which no page can be made to change otherwise. Another (`testid=kit-felt`) shows where focus and pointer came last.
 *
 * Loaded before anything else: it keeps the natives it needs, because some pages replace them all. `kit.traces()` says
 * which marks somebody else has left.
 */
const kit = (() => {
  const { apply, ownKeys } = Reflect
  const setText = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set
  const getValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').get
  const getChecked = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked').get
  const getChoice = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').get
  const isTrusted = (event) => event.isTrusted
  const { getAttributeNames } = Element.prototype
  const { createElement, querySelectorAll } = Document.prototype
  const listen = EventTarget.prototype.addEventListener
  const toText = String
  const keys = new Set()
  const attributes = new Set()
  const has = Set.prototype.has
  const add = Set.prototype.add

  const { closest } = Element.prototype
  const getTarget = Object.getOwnPropertyDescriptor(Event.prototype, 'target').get
  const getName = Object.getOwnPropertyDescriptor(Element.prototype, 'localName').get

  // Where the browser has none, pages declare no tools.
  const tools = document.modelContext
  const declare = tools?.registerTool

  const kit = { clicks: 0, value: '', box: false, choice: 'first', focus: 'nobody', pointer: 'nobody' }

  /**
   * Puts the kit at the end of `root`: an element or a shadow root. With `anew` all its nodes are made again, as by a framework that
   * knows none of them: after whatever changes its state, with focus and caret carried over, and every 50 ms while nobody is at it.
   */
  kit.put = (root, anew) => {
    let section = make(anew && (() => queueMicrotask(again)))
    root.append(section)
    declareTool()
    kit.remember()
    if (!anew) return
    kit.renders = 0
    const controls = () => [...section.querySelectorAll('input, select, button')]
    const again = () => {
      kit.renders++
      const [old, held] = [section, controls().indexOf(section.getRootNode().activeElement)]
      const caret = controls()[held]?.selectionStart
      section = make(() => queueMicrotask(again))
      old.replaceWith(section)
      if (held >= 0) controls()[held].focus()
      if (typeof caret === 'number') controls()[held].setSelectionRange(caret, caret)
    }
    let pressed = false
    for (const type of ['mousedown', 'mouseup', 'dragend']) {
      document.addEventListener(type, () => { pressed = type === 'mousedown' }, true)
    }
    setInterval(() => { if (!pressed && !section.contains(section.getRootNode().activeElement)) again() }, 50)
  }

  // What the tool changed is shown where the kit is shown now.
  let shown = () => {}

  function declareTool() {
    if (!declare) return
    const inputSchema = { type: 'object', properties: { kind: { type: 'string' } } }
    const execute = ({ kind }) => { kit.value = kind ?? 'something'; shown(); return kit.value }
    apply(declare, tools, [{ name: 'order_tea', description: 'Kit tool', inputSchema, execute }])
  }

  /** The kit's nodes, which show its state; `changed` hears of every other state. */
  function make(changed) {
    const section = apply(createElement, document, ['section'])
    section.innerHTML =
      '<p>Kit text</p>' +
      '<p><img alt="Kit picture" title="Kit picture" width="16" height="16"></p>' +
      '<p><label for="kit-field">Kit field</label> <input id="kit-field" placeholder="Kit hint" autocomplete="off"> <button type="button">Kit button</button></p>' +
      '<p><label for="kit-box">Kit box</label> <input id="kit-box" type="checkbox"> ' +
      '<label for="kit-choice">Kit choice</label> <select id="kit-choice"><option>first</option><option>hello</option></select></p>' +
      '<p><output data-testid="kit-state"></output> <output data-testid="kit-felt"></output></p>'
    const find = (selector) => section.querySelector(selector)
    const felt = find('output:last-child')
    const [state, field, box, choice] = [find('output'), find('#kit-field'), find('#kit-box'), find('select')]
    const tell = () => apply(setText, state, [`${kit.clicks} clicks, value ${kit.value || 'empty'}, box ${kit.box}, choice ${kit.choice}`])
    const show = () => { tell(); changed?.() }
    const feel = () => apply(setText, felt, [`focus on ${kit.focus}, pointer on ${kit.pointer}`])
    const reaches = (type, what) => apply(listen, section, [type, (event) => {
      const control = apply(closest, apply(getTarget, event, []), ['button, input, select'])
      if (isTrusted(event) && control) { kit[what] = apply(getName, control, []); feel() }
    }])
    reaches('focusin', 'focus')
    reaches('mouseover', 'pointer')
    apply(listen, find('button'), ['click', (event) => { if (isTrusted(event)) { kit.clicks++; show() } }])
    apply(listen, field, ['input', (event) => { if (isTrusted(event)) { kit.value = apply(getValue, field, []); show() } }])
    apply(listen, box, ['change', (event) => { if (isTrusted(event)) { kit.box = apply(getChecked, box, []); show() } }])
    apply(listen, choice, ['change', () => { kit.choice = apply(getChoice, choice, []); show() }])
    if (changed) {
      field.value = kit.value
      box.checked = kit.box
      choice.value = kit.choice
    }
    shown = show
    tell()
    feel()
    return section
  }

  /** Remembers the globals and attribute names there are: the page's own. */
  kit.remember = () => {
    kit.remembered = (kit.remembered || 0) + 1
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
