globalThis.addedBy = 'added.js'
