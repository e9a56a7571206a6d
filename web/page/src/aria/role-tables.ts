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
  status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time
  timer toolbar tooltip tree treegrid treeitem`)

/** Roles that can be acted on: their lines carry a ref. */
export const WIDGETS = words(`
  button checkbox colorwell combobox date datetime disclosuretriangle inputtime link listbox
  menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch
  tab textbox treeitem`)

/** Roles that take their name from what is inside them. */
export const NAMED_BY_CONTENT = words(`
  button cell checkbox columnheader disclosuretriangle gridcell heading link menuitem
  menuitemcheckbox menuitemradio option radio rowheader switch tab term tooltip treeitem`)

/** Name from content whose text is then not printed again below it. */
export const SAYS_IT_ALL = words(`
  button checkbox disclosuretriangle heading link menuitem menuitemcheckbox menuitemradio option
  radio switch tab term tooltip treeitem clickable`)

/** Inside one of these, names of outer elements do not reach. */
export const NOT_IN_CONTENT_NAMES = words(
  'group list menu tree listbox grid table treegrid menubar',
)

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
