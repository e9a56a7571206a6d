/**
 * What is true of a role: data for `roles.ts`, `name.ts` and the snapshot.
 *
 * Roles are spelled as Chrome's accessibility tree spells them, in lower case.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Roles an author may write; anything else in `role=` is passed over. */
export const AUTHOR_ROLES = words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog directory
  document emphasis feed figure form generic grid gridcell group heading image img insertion link
  list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter navigation none note option paragraph presentation progressbar radio
  radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton
  status strong sectionfooter sectionheader subscript suggestion superscript switch tab table tablist
  tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry
  doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit
  doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata
  doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction
  doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
  doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc
  graphics-document graphics-object graphics-symbol`)

/** Roles that can be acted on: their lines carry a ref. */
export const WIDGETS = words(`
  button checkbox colorwell combobox date datetime disclosuretriangle inputtime link listbox
  menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch
  tab textbox treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`)

/** Roles that take their name from what is inside them; a row does so only in a grid. */
export const NAMED_BY_CONTENT = words(`
  button cell checkbox columnheader disclosuretriangle doc-backlink doc-biblioref doc-glossref
  doc-noteref doc-subtitle gridcell heading link math menuitem menuitemcheckbox menuitemradio option
  radio rowheader switch tab term tooltip treeitem`)

/** Name from content whose text is then not printed again below it. */
export const SAYS_IT_ALL = words(`
  button checkbox disclosuretriangle heading link menuitem menuitemcheckbox menuitemradio option
  radio switch tab term tooltip treeitem clickable doc-backlink doc-biblioref doc-glossref
  doc-noteref doc-subtitle`)

/**
 * Roles whose content is no part of the name of what they stand in: `<a><article>…</article></a>`
 * has no name. Whoever leaves out text because a name has said it must print what is in these.
 */
export const SILENT_IN_NAMES = words(`
  alert alertdialog application article audio banner blockquote colorwell combobox comment
  complementary contentinfo date datetime dialog document embeddedobject feed figure form
  graphics-document graphics-object graphics-symbol grid group iframe image inputtime listbox log
  main marquee menu menubar meter navigation note progressbar radiogroup rowgroup scrollbar search
  searchbox sectionfooter sectionheader separator slider spinbutton status suggestion table tablist
  tabpanel textbox timer toolbar tree treegrid video
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-biblioentry doc-bibliography
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote
  doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword
  doc-glossary doc-index doc-introduction doc-notice doc-pagebreak doc-pagefooter doc-pageheader
  doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-tip doc-toc`)

/** Roles that a tooltip does not name; the other plain boxes are `generic`. */
export const UNTITLED = words(`
  caption code definition deletion emphasis generic insertion mark none paragraph strong subscript
  suggestion superscript term time`)

/** Controls by role: words beside one are kept apart even in a line. */
export const CONTROLS = words('button checkbox combobox radio searchbox slider switch textbox')

/** Landmarks and other containers that interactive mode keeps when they have a name. */
export const SIGNPOSTS = words(`
  alertdialog article banner complementary contentinfo dialog figure form group heading iframe
  listbox main menu menubar navigation radiogroup region search tablist tabpanel table grid toolbar
  tree treegrid alert status`)

/** Roles that say only how a phrase is set; without a name they are text. */
export const PHRASES = words(`
  strong emphasis code mark time subscript superscript insertion deletion paragraph`)

/** `aria-*` that may stand on any element; with one, `role=none` does not hold. */
export const GLOBAL_ARIA = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-description',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
]
