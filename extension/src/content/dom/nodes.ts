// Reads nodes through the getters of this world's own prototypes, and strings as they may leave; it must never write.
//
// The detour is needed: a form answers `form.id` with its own control of that name, and a document answers
// `document.title` with an image that is called so.

import { frame } from '../frame.ts';

/**
 * Return a function that reads a property. The platform's type is looked up when it is first read: to look up all at the
 * start of a frame took 0.3 ms.
 */
export function getterOf<N extends object, K extends keyof N & string>(
  type: () => { prototype: N },
  name: K,
): (node: N) => N[K] {
  let get: (() => N[K]) | undefined;
  return (node) => {
    get ??= (Object.getOwnPropertyDescriptor(type().prototype, name) as PropertyDescriptor).get as () => N[K];
    return Reflect.apply(get, node, []);
  };
}

/** Return a function that calls a method, which is looked up at its first call. */
function methodOf<N extends object, A extends unknown[], R>(
  method: () => (this: N, ...args: A) => R,
): (node: N, ...args: A) => R {
  let found: ((this: N, ...args: A) => R) | undefined;
  return (node, ...args) => {
    found ??= method();
    return Reflect.apply(found, node, args);
  };
}

export const nodes = {
  parent: getterOf(() => Node, 'parentNode'),
  type: getterOf(() => Node, 'nodeType'),
  text: getterOf(() => Node, 'textContent'),
  isConnected: getterOf(() => Node, 'isConnected'),
  root: methodOf(() => Node.prototype.getRootNode),
  childNodes: getterOf(() => Node, 'childNodes'),
  attributes: getterOf(() => Element, 'attributes'),
  tag: getterOf(() => Element, 'localName'),
  namespace: getterOf(() => Element, 'namespaceURI'),
  shadowRoot: getterOf(() => Element, 'shadowRoot'),
  firstChild: getterOf(() => Element, 'firstElementChild'),
  next: getterOf(() => Element, 'nextElementSibling'),
  previous: getterOf(() => Element, 'previousElementSibling'),
  attribute: methodOf(() => Element.prototype.getAttribute),
  matches: methodOf(() => Element.prototype.matches as (css: string) => boolean),
  slot: getterOf(() => Element, 'assignedSlot'),
  scrollIntoView: methodOf(() => Element.prototype.scrollIntoView as (options: ScrollIntoViewOptions) => void),
  closest: methodOf(() => Element.prototype.closest as (css: string) => Element | null),
  box: methodOf(() => Element.prototype.getBoundingClientRect),
  lineBoxes: methodOf(() => Element.prototype.getClientRects),
  first: methodOf(() => Element.prototype.querySelector as (css: string) => Element | null),
  within: methodOf(() => Element.prototype.querySelectorAll as (css: string) => NodeListOf<Element>),
  isRendered: methodOf(() => Element.prototype.checkVisibility),
  title: getterOf(() => Document, 'title'),
  contentType: getterOf(() => Document, 'contentType'),
  rootElement: getterOf(() => Document, 'documentElement'),
  scroller: getterOf(() => Document, 'scrollingElement'),
  create: methodOf(() => Document.prototype.createElementNS as (space: string, tag: string) => Element),
  walker: methodOf(() => Document.prototype.createTreeWalker),
  evaluate: methodOf(() => Document.prototype.evaluate),
  frameDocument: getterOf(() => HTMLIFrameElement, 'contentDocument'),
  frameWindow: getterOf(() => HTMLIFrameElement, 'contentWindow'),
  controls: getterOf(() => HTMLFormElement, 'elements'),
  unchecked: getterOf(() => HTMLFormElement, 'noValidate'),
  submit: methodOf(() => HTMLFormElement.prototype.requestSubmit as () => void),
};

/** Whether the node is Gasoline's, and no part of the page. */
export function isOurs(node: Node): boolean {
  return frame.ownNodes.has(node);
}

export type Elements = NodeListOf<Element> | Element[];

/**
 * Find what matches in one document or shadow root, in its own order, without what is Gasoline's.
 * @throws DOMException the selector does not parse
 */
export function matchesIn(root: Document | ShadowRoot, css: string): Elements {
  const { querySelectorAll } = isDocument(root) ? Document.prototype : DocumentFragment.prototype;
  const found: NodeListOf<Element> = Reflect.apply(querySelectorAll, root, [css]);
  return frame.ownNodes.size ? Array.from(found).filter((element) => !isOurs(element)) : found;
}

/** Find what matches in an element, a document or a shadow root. */
export function inside(node: Node, css: string): Elements {
  return nodes.type(node) === 1 ? nodes.within(node as Element, css) : matchesIn(node as Document | ShadowRoot, css);
}

/**
 * Whether anything matches in one document or shadow root; faster than counting.
 * @throws DOMException the selector does not parse
 */
export function hasMatch(root: Document | ShadowRoot, css: string): boolean {
  const { querySelector } = isDocument(root) ? Document.prototype : DocumentFragment.prototype;
  const first = Reflect.apply(querySelector, root, [css]);
  return first !== null && (!frame.ownNodes.size || matchesIn(root, css).length > 0);
}

/** Whether the node is a document, of any frame: `instanceof` knows only this frame's. */
export function isDocument(node: Node): node is Document {
  return node.nodeType === 9;
}

/** Whether the element is the HTML element of that name. */
export function isHtml(element: Element, tag: string): boolean {
  return nodes.tag(element) === tag && nodes.namespace(element) === 'http://www.w3.org/1999/xhtml';
}
