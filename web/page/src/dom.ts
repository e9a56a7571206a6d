/**
 * Reading the DOM when the page may have shadowed its properties.
 *
 * `<form><input name=parentNode>` makes `form.parentNode` an input, in every world; documents,
 * objects, embeds and framesets do the same. So each property is read through the getter of its
 * prototype, looked up on first use and kept. Elements made in another realm and adopted work too,
 * since getters check the object, not its prototype.
 *
 * Also the flat tree: what is rendered, with shadow roots entered and slots filled.
 */

type Owner = 'Node' | 'Element' | 'HTMLElement' | 'Document' | 'ShadowRoot' | 'CharacterData'

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

export const nodeType = getter<Node, number>('Node', 'nodeType')
export const parentNode = getter<Node, Node | null>('Node', 'parentNode')
export const firstChild = getter<Node, Node | null>('Node', 'firstChild')
export const nextSibling = getter<Node, Node | null>('Node', 'nextSibling')
export const isConnected = getter<Node, boolean>('Node', 'isConnected')
export const textContent = getter<Node, string | null>('Node', 'textContent')
export const ownerDocument = getter<Node, Document | null>('Node', 'ownerDocument')
export const getRootNode = method<Node, [], Node>('Node', 'getRootNode')
export const nodeContains = method<Node, [other: Node | null], boolean>('Node', 'contains')
export const comparePosition = method<Node, [other: Node], number>(
  'Node',
  'compareDocumentPosition',
)

export const data = getter<CharacterData, string>('CharacterData', 'data')

export const localName = getter<Element, string>('Element', 'localName')
export const namespaceURI = getter<Element, string | null>('Element', 'namespaceURI')
export const shadowRoot = getter<Element, ShadowRoot | null>('Element', 'shadowRoot')
export const assignedSlot = getter<Element, HTMLSlotElement | null>('Element', 'assignedSlot')
export const innerHTML = getter<Element, string>('Element', 'innerHTML')
export const outerHTML = getter<Element, string>('Element', 'outerHTML')
export const clientTop = getter<Element, number>('Element', 'clientTop')
export const clientLeft = getter<Element, number>('Element', 'clientLeft')
export const clientWidth = getter<Element, number>('Element', 'clientWidth')
export const clientHeight = getter<Element, number>('Element', 'clientHeight')
export const scrollWidth = getter<Element, number>('Element', 'scrollWidth')
export const scrollHeight = getter<Element, number>('Element', 'scrollHeight')
export const attribute = method<Element, [name: string], string | null>('Element', 'getAttribute')
export const hasAttribute = method<Element, [name: string], boolean>('Element', 'hasAttribute')
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
export const focusElement = method<HTMLElement, [options: FocusOptions], void>(
  'HTMLElement',
  'focus',
)

export const documentElement = getter<Document, Element | null>('Document', 'documentElement')
export const documentBody = getter<Document, HTMLElement | null>('Document', 'body')
export const documentTitle = getter<Document, string>('Document', 'title')
export const documentURL = getter<Document, string>('Document', 'URL')
export const readyState = getter<Document, DocumentReadyState>('Document', 'readyState')
export const scrollingElement = getter<Document, Element | null>('Document', 'scrollingElement')
export const baseURI = getter<Node, string>('Node', 'baseURI')
export const elementById = method<Document, [id: string], Element | null>(
  'Document',
  'getElementById',
)
export const createRange = method<Document, [], Range>('Document', 'createRange')
export const evaluateXPath = method<
  Document,
  [expression: string, context: Node, resolver: null, type: number],
  XPathResult
>('Document', 'evaluate')

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

export const HTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'

export type Root = Document | ShadowRoot | Element

export function isElement(node: Node | null | undefined): node is Element {
  return !!node && nodeType(node) === 1
}

export function isText(node: Node): node is Text {
  const type = nodeType(node)
  return type === 3 || type === 4
}

/** Whether it is the HTML element of that name. */
export function isHtml(element: Element, name: string): boolean {
  return localName(element) === name && namespaceURI(element) === HTML
}

export function isFrame(element: Element): boolean {
  const name = localName(element)
  return (name === 'iframe' || name === 'frame') && namespaceURI(element) === HTML
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

/** The element that has the keyboard, looked for through open shadow roots. */
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

/** What would receive the mouse at a point, looked for through open shadow roots. */
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
  const slot = isElement(node) ? assignedSlot(node) : isText(node) ? node.assignedSlot : null
  const parent = slot ?? parentNode(node)
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

/** Whether `inner` is `outer` or rendered inside it. */
export function isInside(inner: Node, outer: Element): boolean {
  for (let at: Node | null = inner; at; at = flatParent(at)) if (at === outer) return true
  return false
}

/** First child in what is rendered; go on with `nextFlat`. */
export function flatChildren(element: Element): FlatChildren {
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

/** The open shadow roots at and below a root, outer before inner. */
export function shadowRootsIn(root: Root): ShadowRoot[] {
  const found: ShadowRoot[] = []
  const own = nodeType(root) === 1 ? shadowRoot(root as Element) : null
  if (own) found.push(own)
  collectRoots(root, found)
  for (let at = 0; at < found.length && found.length < 10_000; at += 1) {
    collectRoots(found[at]!, found)
  }
  return found
}

function collectRoots(root: Root, found: ShadowRoot[]): void {
  const all = queryAll(root, '*')
  for (let at = 0, count = all.length; at < count; at += 1) {
    const inner = shadowRoot(all[at]!)
    if (inner) found.push(inner)
  }
}
