/** Two rich-text editors that keep a model of their own: what only the DOM shows, they undo. */

import { registerRichText } from '@lexical/rich-text'
import { $getRoot, createEditor } from 'lexical'
import { baseKeymap } from 'prosemirror-commands'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { schema } from 'prosemirror-schema-basic'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'

const view = new EditorView(document.getElementById('prosemirror'), {
  state: EditorState.create({ schema, plugins: [history(), keymap(baseKeymap)] }),
  attributes: { role: 'textbox', 'aria-label': 'ProseMirror' },
})

const editor = createEditor({
  namespace: 'test',
  onError: (error) => {
    throw error
  },
})
editor.setRootElement(document.getElementById('lexical'))
registerRichText(editor)

window.state = () => ({
  prosemirror: view.state.doc.textBetween(0, view.state.doc.content.size, '\n'),
  lexical: editor.getEditorState().read(() => $getRoot().getTextContent()),
})
