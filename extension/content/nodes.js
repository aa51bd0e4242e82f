// Reads nodes through the getters of this world's own prototypes, and strings as they may leave; it must never write.
//
// The detour is needed: a form answers `form.id` with its own control of that name, and a document answers
// `document.title` with an image that is called so.
//
// Content scripts are classic scripts and may be injected twice into the same world: `function` and `var` bear that,
// `const` and `class` at the top would throw.

'use strict';

/**
 * @template {object} N
 * @template {keyof N & string} K
 * @param {{prototype: N}} type
 * @param {K} name
 * @returns {(node: N) => N[K]}
 */
function getterOf(type, name) {
  const { get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(type.prototype, name));
  return (node) => Reflect.apply(/** @type {() => N[K]} */ (get), node, []);
}

/**
 * @template {object} N
 * @template {unknown[]} A
 * @template R
 * @param {{prototype: N}} _type  whose method it is
 * @param {(this: N, ...args: A) => R} method
 * @returns {(node: N, ...args: A) => R}
 */
function methodOf(_type, method) {
  return (node, ...args) => Reflect.apply(method, node, args);
}

var nodes = {
  parent: getterOf(Node, 'parentNode'),
  isConnected: getterOf(Node, 'isConnected'),
  root: methodOf(Node, Node.prototype.getRootNode),
  childNodes: getterOf(Node, 'childNodes'),
  attributes: getterOf(Element, 'attributes'),
  tag: getterOf(Element, 'localName'),
  namespace: getterOf(Element, 'namespaceURI'),
  shadowRoot: getterOf(Element, 'shadowRoot'),
  firstChild: getterOf(Element, 'firstElementChild'),
  next: getterOf(Element, 'nextElementSibling'),
  attribute: methodOf(Element, Element.prototype.getAttribute),
  matches: methodOf(Element, /** @type {(css: string) => boolean} */ (Element.prototype.matches)),
  slot: getterOf(Element, 'assignedSlot'),
  scrollIntoView: methodOf(Element, /** @type {(options: ScrollIntoViewOptions) => void} */ (Element.prototype.scrollIntoView)),
  closest: methodOf(Element, /** @type {(css: string) => Element | null} */ (Element.prototype.closest)),
  box: methodOf(Element, Element.prototype.getBoundingClientRect),
  within: methodOf(Element, /** @type {(css: string) => NodeListOf<Element>} */ (Element.prototype.querySelectorAll)),
  isRendered: methodOf(Element, Element.prototype.checkVisibility),
  title: getterOf(Document, 'title'),
  contentType: getterOf(Document, 'contentType'),
  rootElement: getterOf(Document, 'documentElement'),
  scroller: getterOf(Document, 'scrollingElement'),
  create: methodOf(Document, /** @type {(space: string, tag: string) => Element} */ (Document.prototype.createElementNS)),
  walker: methodOf(Document, Document.prototype.createTreeWalker),
  evaluate: methodOf(Document, Document.prototype.evaluate),
  frameDocument: getterOf(HTMLIFrameElement, 'contentDocument'),
  frameWindow: getterOf(HTMLIFrameElement, 'contentWindow'),
  controls: getterOf(HTMLFormElement, 'elements'),
  unchecked: getterOf(HTMLFormElement, 'noValidate'),
  submit: methodOf(HTMLFormElement, /** @type {() => void} */ (HTMLFormElement.prototype.requestSubmit)),
};

/** @type {Set<Node> | undefined}  what Gasoline itself has put into the page, for as long as it is there; made once in this world */
var ours;
ours ??= new Set();

/**
 * @param {Node} node
 * @returns {boolean}  it is Gasoline's, and no part of the page
 */
function isOurs(node) {
  return ours?.has(node) ?? false;
}

/** @typedef {NodeListOf<Element> | Element[]} Elements */

/**
 * Find what matches in one document or shadow root, in its own order, without what is Gasoline's.
 * @param {Document | ShadowRoot} root
 * @param {string} css
 * @returns {Elements}
 * @throws {DOMException} the selector does not parse
 */
function matchesIn(root, css) {
  const { querySelectorAll } = isDocument(root) ? Document.prototype : DocumentFragment.prototype;
  /** @type {NodeListOf<Element>} */
  const found = Reflect.apply(querySelectorAll, root, [css]);
  return ours?.size ? Array.from(found).filter((element) => !isOurs(element)) : found;
}

/**
 * Say whether anything matches in one document or shadow root; faster than counting.
 * @param {Document | ShadowRoot} root
 * @param {string} css
 * @returns {boolean}
 * @throws {DOMException} the selector does not parse
 */
function hasMatch(root, css) {
  const { querySelector } = isDocument(root) ? Document.prototype : DocumentFragment.prototype;
  const first = Reflect.apply(querySelector, root, [css]);
  return first !== null && (!ours?.size || matchesIn(root, css).length > 0);
}

/**
 * @param {Node} node
 * @returns {node is Document}  of whatever frame: `instanceof` knows only this frame's
 */
function isDocument(node) {
  return node.nodeType === 9;
}

/**
 * @param {Element} element
 * @param {string} tag
 * @returns {boolean}  it is the HTML element of that name
 */
function isHtml(element, tag) {
  return nodes.tag(element) === tag && nodes.namespace(element) === 'http://www.w3.org/1999/xhtml';
}

/**
 * Cut a string of the page at a number of characters, never inside one, and make it well-formed Unicode: a lone half of
 * a surrogate pair is an error to most who read JSON.
 * @param {string} text
 * @param {number} limit
 * @returns {string}
 */
function clip(text, limit) {
  if (text.length <= limit) return text.toWellFormed();
  const cut = text.slice(0, limit);
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).toWellFormed();
}

/**
 * Round to two decimals.
 * @param {number} value
 * @returns {number}
 */
function rounded(value) {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

/** An error that is an answer: the service worker passes it on as it stands. */
/**
 * @typedef {{code: string, message: string, details?: Record<string, unknown>, recovery?: string}} Fault
 */

/**
 * Refuse an argument.
 * @param {string} parameter
 * @param {unknown} value
 * @param {string} message
 * @returns {never}
 */
function refuse(parameter, value, message) {
  const shown = typeof value === 'string' ? clip(value, 500) : value;
  return fail('invalid_params', message, { details: { parameter, value: shown } });
}

/**
 * Have an error of what is done name the parameter that it is about.
 * @template T
 * @param {string} parameter
 * @param {() => T} look
 * @returns {T}
 */
function blaming(parameter, look) {
  try {
    return look();
  } catch (thrown) {
    const { fault } = /** @type {{fault?: Fault}} */ (thrown);
    if (!fault) throw thrown;
    const { code, message, details, ...more } = fault;
    return fail(code, `${parameter}: ${message}`, { ...more, details: { ...details, parameter } });
  }
}

/**
 * End a question with an error.
 * @param {string} code
 * @param {string} message
 * @param {Omit<Fault, 'code' | 'message'>} [more]
 * @returns {never}
 */
function fail(code, message, more = {}) {
  throw Object.assign(new Error(message), { fault: { code, message, ...more } });
}
