// The floor of a snapshot: one walk over the document that prints what is there, a line each.
// It knows a few roles, asks for visibility, numbers what can be operated and does no more.
;(() => {
  const roles = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', INPUT: 'textbox', IMG: 'img' }
  const lines = []
  const controls = []
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim()
  const label = (element) =>
    element.getAttribute('aria-label') ??
    element.getAttribute('alt') ??
    squeeze(element.labels?.[0]?.textContent || element.textContent).slice(0, 100)
  const visit = (node, indent) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = squeeze(node.data)
      if (text) lines.push(`${indent}${text}`)
      return
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return
    if (node.localName === 'script' || node.localName === 'style' || !node.checkVisibility()) return
    const role = node.getAttribute('role') ?? roles[node.tagName] ?? (/^H\d$/.test(node.tagName) && 'heading')
    if (role) {
      const number = role === 'heading' || role === 'img' ? '' : ` e${controls.push(node)}`
      lines.push(`${indent}${role} "${label(node)}"${number}`)
      return
    }
    for (const child of (node.shadowRoot ?? node).childNodes) visit(child, `${indent} `)
  }
  visit(document.body, '')
  globalThis.benchControls = controls
  return lines.join('\n')
})()
