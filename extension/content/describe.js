// Describes an element by attributes, text, box, sight, styles, children; it must never show what a password field holds.

'use strict';

/** Limits of seed 002, and of Gasoline where it sets none. */
var LIMITS = {
  matches: 50,
  depth: 5,
  text: 500,
  attribute: 500, // +
  url: 2000, // +
  // + Characters of text, attributes and styles in one answer. Without it, an answer of 50 elements with five levels of
  // children can hold the whole page fifty times over.
  answer: 1_000_000,
};

/** Properties that are returned when none are named (seed 002). */
var LAYOUT_PROPERTIES = [
  'display', 'position', 'width', 'height', 'margin', 'padding', 'flex', 'grid', 'visibility', 'opacity', 'overflow',
  'z-index', 'color', 'background-color', 'font-size',
];

/** Elements whose text nodes no one reads as text: code, and markup that is not in the page. */
var TEXTLESS = new Set(['script', 'style', 'noscript', 'template']);

/**
 * @typedef {object} Wish
 * @property {string[] | null} styles  the properties to return; null for none
 * @property {number} depth  how many levels of children
 */

/** @typedef {{left: number}} Allowance  how many characters the answer may still grow by */

/**
 * @typedef {object} Child
 * @property {string} tag
 * @property {Record<string, string>} attributes
 * @property {string} text
 * @property {true} [truncated]  the text was cut
 * @property {Record<string, string>} [styles]
 * @property {Child[]} [children]
 * @property {number} [omittedChildren]  how many children found no room in the answer
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** @typedef {Child & {selector: string, boundingBox: Box, visible: boolean}} Match */

/**
 * Describe an element that was found.
 * @param {Element} element
 * @param {Tree} tree
 * @param {string} selector
 * @param {Wish} wish
 * @param {Allowance} allowance
 * @returns {Match}
 */
function describeMatch(element, tree, selector, wish, allowance) {
  const box = nodes.box(element);
  const view = viewOf(tree);
  const { children, omittedChildren, ...described } = describe(element, wish, wish.depth, allowance);
  return {
    selector,
    ...described,
    boundingBox: {
      x: rounded(view.x + box.x * view.scaleX),
      y: rounded(view.y + box.y * view.scaleY),
      width: rounded(box.width * view.scaleX),
      height: rounded(box.height * view.scaleY),
    },
    visible: view.visible && isVisible(element, box),
    ...(children && { children }),
    ...(omittedChildren && { omittedChildren }),
  };
}

/**
 * @param {Element} element
 * @param {Wish} wish
 * @param {number} depth  levels of children below this one
 * @param {Allowance} allowance
 * @returns {Child}
 */
function describe(element, wish, depth, allowance) {
  const { text, truncated } = textOf(element);
  /** @type {Child} */
  const described = {
    tag: nodes.tag(element),
    attributes: attributesOf(element),
    text,
    ...(truncated && { truncated }),
    ...(wish.styles && { styles: stylesOf(element, wish.styles) }),
  };
  allowance.left -= JSON.stringify(described).length;
  return depth > 0 ? { ...described, ...offspringOf(element, wish, depth - 1, allowance) } : described;
}

/**
 * Describe the children while there is room, and count those for which there is none.
 * @param {Element} element
 * @param {Wish} wish
 * @param {number} depth
 * @param {Allowance} allowance
 * @returns {{children?: Child[], omittedChildren?: number}}
 */
function offspringOf(element, wish, depth, allowance) {
  const children = [];
  let omitted = 0;
  for (const child of childrenOf(element)) {
    if (allowance.left > 0) children.push(describe(child, wish, depth, allowance));
    else omitted++;
  }
  return { ...(children.length && { children }), ...(omitted && { omittedChildren: omitted }) };
}

/**
 * Go through the children as they are composed: what the element opens, then what it holds.
 * @param {Element} element
 * @returns {Generator<Element>}
 */
function* childrenOf(element) {
  const opened = openedBy(element);
  yield* Array.from(opened?.children ?? []);
  for (let child = nodes.firstChild(element); child; child = nodes.next(child)) if (!isOurs(child)) yield child;
}

/**
 * @param {Element} element
 * @returns {Record<string, string>}
 */
function attributesOf(element) {
  const hidden = isPassword(element) ? 'value' : '';
  return Object.fromEntries(
    Array.from(nodes.attributes(element), ({ name, value }) => [
      clip(name, LIMITS.attribute),
      name === hidden ? '[REDACTED]' : clip(value, LIMITS.attribute),
    ]),
  );
}

/**
 * Say whether a field holds a password, be it shown in clear text at the moment.
 * @param {Element} element
 * @returns {boolean}
 */
function isPassword(element) {
  if (!isHtml(element, 'input')) return false;
  const purpose = nodes.attribute(element, 'autocomplete') ?? '';
  return /^password$/i.test(nodes.attribute(element, 'type') ?? '') || /\b(current|new)-password\b/i.test(purpose);
}

/**
 * Read what an element says: its text nodes and those of its descendants, white space collapsed, without scripts,
 * styles, templates and `noscript`.
 * @param {Element} element
 * @returns {{text: string, truncated: boolean}}
 */
function textOf(element) {
  let text = '';
  for (const piece of piecesOf(element)) {
    text = (text + piece).replace(/\s+/g, ' ').trimStart();
    if (text.trimEnd().length > LIMITS.text) break;
  }
  text = text.trimEnd();
  return { text: clip(text, LIMITS.text), truncated: text.length > LIMITS.text };
}

/**
 * @param {Element} element
 * @returns {Generator<string>}  its text nodes, in pieces small enough that reading the first ones costs little
 */
function* piecesOf(element) {
  if (TEXTLESS.has(nodes.tag(element))) return;
  const wanted = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = nodes.walker(document, element, wanted, (node) => {
    const textless = node.nodeType === 1 && TEXTLESS.has(nodes.tag(/** @type {Element} */ (node)));
    return textless ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType !== 3) continue;
    const { data } = /** @type {Text} */ (node);
    for (let from = 0; from < data.length; from += 4096) yield data.slice(from, from + 4096);
  }
}

/**
 * @param {Element} element
 * @param {string[]} properties
 * @returns {Record<string, string>}
 */
function stylesOf(element, properties) {
  const computed = getComputedStyle(element);
  return Object.fromEntries(
    properties.map((name) => [name, clip(computed.getPropertyValue(cssName(name)), LIMITS.attribute)]),
  );
}

/**
 * @param {string} name
 * @returns {string}  `backgroundColor` as CSS spells it; a custom property as it is
 */
function cssName(name) {
  return name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Say whether an element can be seen, if need be by scrolling: it is rendered with an area, and neither it nor anything
 * around it is hidden, transparent, or skipped by `content-visibility: hidden`.
 * @param {Element} element
 * @param {DOMRect} box
 * @returns {boolean}
 */
function isVisible(element, box) {
  return box.width > 0 && box.height > 0 && nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true });
}

/**
 * Where a tree's coordinates lie in the viewport of the page, through all frames around it.
 * @param {Tree} tree
 * @returns {{x: number, y: number, scaleX: number, scaleY: number, visible: boolean}}
 */
function viewOf({ root, opener, outer }) {
  if (!opener || !outer) return { x: 0, y: 0, scaleX: 1, scaleY: 1, visible: true };
  const view = viewOf(outer);
  if (!isDocument(root)) return view;
  const frame = /** @type {HTMLIFrameElement} */ (opener);
  const box = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const scaleX = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
  return {
    x: view.x + view.scaleX * (box.x + scaleX * (frame.clientLeft + parseFloat(paddingLeft))),
    y: view.y + view.scaleY * (box.y + scaleY * (frame.clientTop + parseFloat(paddingTop))),
    scaleX: view.scaleX * scaleX,
    scaleY: view.scaleY * scaleY,
    visible: view.visible && isVisible(frame, box),
  };
}
