/**
 * Reading the DOM when the page may have shadowed its properties.
 *
 * `<form><input name=parentNode>` makes `form.parentNode` an input, in every world; documents,
 * objects, embeds and framesets do the same. So each property is read through the getter of its
 * prototype, looked up on first use and kept. Elements made in another realm and adopted work too,
 * since getters check the object, not its prototype.
 *
 * Also the flat tree: what is rendered, with shadow roots entered and slots filled. Closed roots are
 * part of it once the engine has found them; nothing in a page tells of them.
 */

type Owner =
  | 'EventTarget'
  | 'Node'
  | 'Element'
  | 'HTMLElement'
  | 'HTMLFormElement'
  | 'HTMLObjectElement'
  | 'SVGElement'
  | 'Document'
  | 'ShadowRoot'
  | 'CharacterData'

function prototypeOf(owner: Owner): object {
  return (globalThis as unknown as Record<Owner, { prototype: object }>)[owner].prototype
}

function getter<Target, Value>(owner: Owner, name: string): (target: Target) => Value {
  let get: (() => Value) | undefined
  return (target) => {
    get ??= Object.getOwnPropertyDescriptor(prototypeOf(owner), name)?.get as () => Value
    return get.call(target)
  }
}

function method<Target, Args extends unknown[], Value>(owner: Owner, name: string) {
  let run: ((...args: Args) => Value) | undefined
  return (target: Target, ...args: Args): Value => {
    run ??= Object.getOwnPropertyDescriptor(prototypeOf(owner), name)?.value as (
      ...args: Args
    ) => Value
    return run.call(target, ...args)
  }
}

export const dispatchEvent = method<EventTarget, [event: Event], boolean>(
  'EventTarget',
  'dispatchEvent',
)

export const nodeType = getter<Node, number>('Node', 'nodeType')
export const parentNode = getter<Node, Node | null>('Node', 'parentNode')
const parentElement = getter<Node, Element | null>('Node', 'parentElement')
export const firstChild = getter<Node, Node | null>('Node', 'firstChild')
export const nextSibling = getter<Node, Node | null>('Node', 'nextSibling')
export const nextElement = getter<Element, Element | null>('Element', 'nextElementSibling')
export const elementChildren = getter<Element, HTMLCollection>('Element', 'children')
export const isConnected = getter<Node, boolean>('Node', 'isConnected')
export const textContent = getter<Node, string | null>('Node', 'textContent')
export const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument')
export const getRootNode = method<Node, [], Node>('Node', 'getRootNode')
export const nodeContains = method<Node, [other: Node | null], boolean>('Node', 'contains')
export const comparePosition = method<Node, [other: Node], number>(
  'Node',
  'compareDocumentPosition',
)

export const appendChild = method<Node, [child: Node], Node>('Node', 'appendChild')

export const data = getter<CharacterData, string>('CharacterData', 'data')

/** Asked of Chrome each time: for those of whom no more is asked than this. */
export const tagName = getter<Element, string>('Element', 'localName')
const ownNamespace = getter<Element, string | null>('Element', 'namespaceURI')
const openRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot')
const assignedSlot = getter<Element, HTMLSlotElement | null>('Element', 'assignedSlot')
export const elementId = getter<Element, string>('Element', 'id')
export const innerHTML = getter<Element, string>('Element', 'innerHTML')
export const outerHTML = getter<Element, string>('Element', 'outerHTML')
export const clientTop = getter<Element, number>('Element', 'clientTop')
export const clientLeft = getter<Element, number>('Element', 'clientLeft')
export const clientWidth = getter<Element, number>('Element', 'clientWidth')
export const clientHeight = getter<Element, number>('Element', 'clientHeight')
export const scrollWidth = getter<Element, number>('Element', 'scrollWidth')
export const scrollHeight = getter<Element, number>('Element', 'scrollHeight')
const ownAttribute = method<Element, [name: string], string | null>('Element', 'getAttribute')
const hasOwnAttribute = method<Element, [name: string], boolean>('Element', 'hasAttribute')
export const attributeNames = method<Element, [], string[]>('Element', 'getAttributeNames')
export const boundingBox = method<Element, [], DOMRect>('Element', 'getBoundingClientRect')
export const clientRects = method<Element, [], DOMRectList>('Element', 'getClientRects')
export const matches = method<Element, [selector: string], boolean>('Element', 'matches')
export const closest = method<Element, [selector: string], Element | null>('Element', 'closest')
export const checkVisibility = method<Element, [options?: CheckVisibilityOptions], boolean>(
  'Element',
  'checkVisibility',
)
export const getAnimations = method<Element, [], Animation[]>('Element', 'getAnimations')
export const scrollIntoView = method<Element, [options: ScrollIntoViewOptions], void>(
  'Element',
  'scrollIntoView',
)

export const innerText = getter<HTMLElement, string>('HTMLElement', 'innerText')
export const isContentEditable = getter<HTMLElement, boolean>('HTMLElement', 'isContentEditable')
export const offsetWidth = getter<HTMLElement, number>('HTMLElement', 'offsetWidth')
const focusHtml = method<Element, [options: FocusOptions], void>('HTMLElement', 'focus')
const focusSvg = method<Element, [options: FocusOptions], void>('SVGElement', 'focus')

export const documentElement = getter<Document, Element | null>('Document', 'documentElement')
export const documentBody = getter<Document, HTMLElement | null>('Document', 'body')
export const documentHead = getter<Document, HTMLElement | null>('Document', 'head')
export const documentTitle = getter<Document, string>('Document', 'title')
export const documentURL = getter<Document, string>('Document', 'URL')
export const readyState = getter<Document, DocumentReadyState>('Document', 'readyState')
export const scrollingElement = getter<Document, Element | null>('Document', 'scrollingElement')
export const baseURI = getter<Node, string>('Node', 'baseURI')
export const elementById = method<Document, [id: string], Element | null>(
  'Document',
  'getElementById',
)
export const createElement = method<Document, [name: string], HTMLElement>(
  'Document',
  'createElement',
)
/** The door to a document's tools for agents; not every browser has it. */
export const modelContext = getter<Document, { getTools(): Promise<never[]> }>(
  'Document',
  'modelContext',
)
export const documentType = getter<Document, DocumentType | null>('Document', 'doctype')
export const createRange = method<Document, [], Range>('Document', 'createRange')
export const createEvent = method<Document, [kind: string], Event>('Document', 'createEvent')
export const execCommand = method<
  Document,
  [command: string, showsDialog: boolean, value: string],
  boolean
>('Document', 'execCommand')
export const queryCommandEnabled = method<Document, [command: string], boolean>(
  'Document',
  'queryCommandEnabled',
)
export const hasFocus = method<Document, [], boolean>('Document', 'hasFocus')
export const evaluateXPath = method<
  Document,
  [expression: string, context: Node, resolver: null, type: number],
  XPathResult
>('Document', 'evaluate')

export const formElements = getter<HTMLFormElement, HTMLFormControlsCollection>(
  'HTMLFormElement',
  'elements',
)
const objectWindow = getter<HTMLObjectElement, Window | null>('HTMLObjectElement', 'contentWindow')
const documentSheets = getter<Document, StyleSheetList>('Document', 'styleSheets')
const documentAdopted = getter<Document, CSSStyleSheet[]>('Document', 'adoptedStyleSheets')
const documentActive = getter<Document, Element | null>('Document', 'activeElement')
const shadowActive = getter<ShadowRoot, Element | null>('ShadowRoot', 'activeElement')
const documentHit = method<Document, [x: number, y: number], Element | null>(
  'Document',
  'elementFromPoint',
)
const documentAll = method<Document, [selector: string], NodeListOf<Element>>(
  'Document',
  'querySelectorAll',
)
const elementAll = method<Element, [selector: string], NodeListOf<Element>>(
  'Element',
  'querySelectorAll',
)

/** What cannot change while no script runs. */
interface Still {
  readonly document: Document
  /** None of it is in a shadow root: the tree is what it looks like. */
  flat: boolean
  /** The shadow roots there are. */
  roots: ShadowRoot[]
  readonly elements: Map<Element, Known>
}

/** An element as a walk asks for it again and again. */
interface Known {
  readonly name: string
  readonly namespace: string | null
  readonly attributes: readonly string[]
  readonly plain: boolean
}

let still: Still | undefined
let lastAsked: Element | undefined
let lastKnown: Known

/**
 * Does work during which no script of the page runs. A walk asks each element some twenty times for
 * its name and for attributes it does not have, and each question is a call into Chrome: what it is
 * and has is read once.
 */
export function whileStill<Value>(document: Document, work: () => Value): Value {
  const roots = shadowRootsIn(document)
  still = { document, roots, flat: roots.length === 0, elements: new Map() }
  try {
    return work()
  } finally {
    still = undefined
    lastAsked = undefined
  }
}

function knownOf(elements: Map<Element, Known>, element: Element): Known {
  if (element === lastAsked) return lastKnown
  let known = elements.get(element)
  if (!known) {
    const name = tagName(element)
    const attributes = attributeNames(element)
    const plain = isPlainly(name, attributes)
    known = { name, namespace: ownNamespace(element), attributes, plain }
    elements.set(element, known)
  }
  lastAsked = element
  lastKnown = known
  return known
}

/**
 * Whether nothing is told of an element but its name and looks, by attributes or, as custom elements
 * may, otherwise. Most are, and need not be asked for each thing that could be told.
 */
export function isPlain(element: Element): boolean {
  if (still) return knownOf(still.elements, element).plain
  return isPlainly(tagName(element), attributeNames(element))
}

function isPlainly(name: string, attributes: readonly string[]): boolean {
  for (const attribute of attributes) {
    if (!LOOKS.has(attribute) && !attribute.startsWith('data-')) return false
  }
  return !name.includes('-')
}

const LOOKS = new Set(['class', 'id', 'style'])

export function localName(element: Element): string {
  return still ? knownOf(still.elements, element).name : tagName(element)
}

export function namespaceURI(element: Element): string | null {
  return still ? knownOf(still.elements, element).namespace : ownNamespace(element)
}

export function attribute(element: Element, name: string): string | null {
  if (still && !knownOf(still.elements, element).attributes.includes(name)) return null
  return ownAttribute(element, name)
}

export function hasAttribute(element: Element, name: string): boolean {
  return still
    ? knownOf(still.elements, element).attributes.includes(name)
    : hasOwnAttribute(element, name)
}

export const HTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'

/** By the method of its kind; formulas have one too, which nobody asks for. */
export function focusElement(element: Element, options: FocusOptions): void {
  const kind = namespaceURI(element)
  if (kind === HTML) focusHtml(element, options)
  else if (kind === SVG) focusSvg(element, options)
}

export type Root = Document | ShadowRoot | Element

export function isElement(node: Node | null | undefined): node is Element {
  return !!node && nodeType(node) === 1
}

export function isText(node: Node): node is Text {
  const type = nodeType(node)
  return type === 3 || type === 4
}

const labelledByElements = getter<Element, Element[] | null>('Element', 'ariaLabelledByElements')
const ownsElements = getter<Element, Element[] | null>('Element', 'ariaOwnsElements')
const actionsElements = getter<Element, Element[] | null>('Element', 'ariaActionsElements')
const ELEMENTS_OF = {
  ariaActionsElements: actionsElements,
  ariaLabelledByElements: labelledByElements,
  ariaOwnsElements: ownsElements,
}

/** Elements a script gave instead of ids, which the attribute then does not tell. */
export function attributeElements(element: Element, name: keyof typeof ELEMENTS_OF): Element[] {
  // Chrome has them since 135, the last one later.
  if (!(name in prototypeOf('Element'))) return []
  return ELEMENTS_OF[name](element) ?? []
}

/** The element of an id in the same document or shadow root as another. */
export function elementInRoot(near: Element, id: string): Element | null {
  const root = getRootNode(near)
  switch (nodeType(root)) {
    case 9:
      return elementById(root as Document, id)
    case 11:
      return (root as ShadowRoot).getElementById(id)
    default:
      return null
  }
}

/** Whether it is the HTML element of that name. */
export function isHtml(element: Element, name: string): boolean {
  return localName(element) === name && namespaceURI(element) === HTML
}

/** Whether it holds a document of its own; an `<object>` may. */
export function isFrame(element: Element): boolean {
  if (namespaceURI(element) !== HTML) return false
  const name = localName(element)
  if (name === 'object') return objectWindow(element as HTMLObjectElement) !== null
  return name === 'iframe' || name === 'frame'
}

export function queryAll(root: Root, selector: string): NodeListOf<Element> {
  switch (nodeType(root)) {
    case 9:
      return documentAll(root as Document, selector)
    case 1:
      return elementAll(root as Element, selector)
    default:
      // Shadow roots have no named properties to fear.
      return root.querySelectorAll(selector)
  }
}

/** The style sheets of a document or shadow root, those that a script adopted too. */
export function styleSheetsOf(root: Document | ShadowRoot): CSSStyleSheet[] {
  const isDocument = nodeType(root) === 9
  const own = isDocument ? documentSheets(root as Document) : root.styleSheets
  const adopted = isDocument ? documentAdopted(root as Document) : root.adoptedStyleSheets
  return [...Array.from(own), ...Array.from(adopted)]
}

/** Gives a document another style sheet, of no element. */
export function adoptSheet(document: Document, sheet: CSSStyleSheet): void {
  documentAdopted(document).push(sheet)
}

const closedRoots = new WeakMap<Element, ShadowRoot>()
let anyClosed = false

/** Its shadow root: an open one, or a closed one that was found. */
export function shadowRoot(element: Element): ShadowRoot | null {
  if (still?.flat) return null
  return openRoot(element) ?? (anyClosed ? closedRoot(element) : null)
}

export function closedRoot(element: Element): ShadowRoot | null {
  return closedRoots.get(element) ?? null
}

/** Makes a closed root part of the flat tree. Says whether that is news. */
export function rememberRoot(root: ShadowRoot): boolean {
  const { host, mode } = root
  if (mode !== 'closed' || closedRoots.has(host)) return false
  closedRoots.set(host, root)
  anyClosed = true
  return true
}

/** The element that has the keyboard, looked for through shadow roots. */
export function focusedElement(document: Document): Element | null {
  let active = documentActive(document)
  for (let depth = 0; active && depth < 100; depth += 1) {
    const root = shadowRoot(active)
    const inner = root && shadowActive(root)
    if (!inner) break
    active = inner
  }
  return active
}

/** What would receive the mouse at a point, looked for through shadow roots. */
export function elementAt(document: Document, x: number, y: number): Element | null {
  let top = documentHit(document, x, y)
  for (let depth = 0; top && depth < 100; depth += 1) {
    const root: ShadowRoot | null = shadowRoot(top)
    // A root answers with its own host when the point is beside its content.
    const inner: Element | null = root?.elementFromPoint(x, y) ?? null
    if (!inner || inner === top || getRootNode(inner) !== root) break
    top = inner
  }
  return top
}

/** Its parent in what is rendered: the slot it fills, the host of its shadow root. */
export function flatParent(node: Node): Element | null {
  if (still?.flat) return parentElement(node)
  const slot = isElement(node) ? assignedSlot(node) : isText(node) ? node.assignedSlot : null
  const parent = slot ?? (anyClosed ? closedSlot(node) : null) ?? parentNode(node)
  if (!parent) return null
  switch (nodeType(parent)) {
    case 1:
      return parent as Element
    case 11:
      return (parent as ShadowRoot).host ?? null
    default:
      return null
  }
}

/** The slot of a closed root that a node fills, which the node itself does not tell. */
function closedSlot(node: Node): Element | null {
  const host = parentNode(node)
  const root = isElement(host) ? closedRoot(host) : null
  if (!root) return null
  for (const slot of root.querySelectorAll('slot')) {
    if (slot.assignedNodes().includes(node as Element | Text)) return slot
  }
  return null
}

/** Whether `inner` is `outer` or rendered inside it. */
export function isInside(inner: Node, outer: Element): boolean {
  for (let at: Node | null = inner; at; at = flatParent(at)) if (at === outer) return true
  return false
}

/** First child in what is rendered; go on with `nextFlat`. */
export function flatChildren(element: Element): FlatChildren {
  if (still?.flat) return { next: firstChild(element), list: undefined, at: 0 }
  const root = shadowRoot(element)
  if (root) return { next: firstChild(root), list: undefined, at: 0 }
  if (localName(element) === 'slot' && namespaceURI(element) === HTML) {
    const list = (element as HTMLSlotElement).assignedNodes()
    if (list.length > 0) return { next: null, list, at: 0 }
  }
  return { next: firstChild(element), list: undefined, at: 0 }
}

/** A walk over the rendered children of one element. */
export interface FlatChildren {
  next: Node | null
  list: Node[] | undefined
  at: number
}

export function nextFlat(children: FlatChildren): Node | null {
  if (children.list) return children.list[children.at++] ?? null
  const node = children.next
  if (node) children.next = nextSibling(node)
  return node
}

/** What `nextFlat` will give. */
export function peekFlat(children: FlatChildren): Node | null {
  return children.list ? (children.list[children.at] ?? null) : children.next
}

/** The shadow roots at and below a root, outer before inner. */
export function shadowRootsIn(root: Root): ShadowRoot[] {
  if (still && root === still.document) return still.roots
  const found: ShadowRoot[] = []
  const own = nodeType(root) === 1 ? shadowRoot(root as Element) : null
  if (own) found.push(own)
  collectRoots(root, found)
  for (let at = 0; at < found.length && found.length < 10_000; at += 1) {
    collectRoots(found[at]!, found)
  }
  return found
}

/** Elements that are many and can have no shadow root: Chrome leaves them out faster than we ask each. */
const NO_HOSTS =
  '*:not(a,b,br,button,code,dd,dt,em,form,g,i,img,input,label,li,ol,option,path,script,select,strong,style,svg,table,tbody,td,th,tr,ul,use)'

function collectRoots(root: Root, found: ShadowRoot[]): void {
  const all = queryAll(root, NO_HOSTS)
  for (let at = 0, count = all.length; at < count; at += 1) {
    const inner = shadowRoot(all[at]!)
    if (inner) found.push(inner)
  }
}
