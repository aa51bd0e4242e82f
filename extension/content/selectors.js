// Writes the selector that finds one element again and nothing else; it must prove that by counting before it says so.

'use strict';

/** Longer ids and names are no good to read, and slow to match. */
var HANDLE_CHARACTERS = 100;

/**
 * What has been found out so far, in one survey of the page, that serves more than one selector.
 * @typedef {object} Proofs
 * @property {Map<Tree, Map<string, boolean>>} alone  by tree and selector: exactly one element matches there
 * @property {Map<string, boolean>} pageOnly  by selector: nothing matches but in the page's own document
 * @property {Map<Element, string>} openers  the selectors of hosts and frames
 * @property {Siblings} siblings
 */

/**
 * What a path needs to know of an element's siblings.
 * @typedef {object} Siblings
 * @property {(element: Element) => boolean} hasTwin  one of them has the same tag
 * @property {(element: Element) => number} place  its place among all of them, the first being 1
 */

/**
 * The children of one parent, counted once: each of thousands of rows asks for its place.
 * @typedef {{places: Map<Element, number>, tags: Map<string, number>}} Family
 */

/**
 * Writes selectors for the elements of one survey of the page.
 * @param {Tree[]} trees
 * @param {Siblings} [siblings]
 * @returns {(element: Element, tree: Tree) => string}
 */
function selectorWriter(trees, siblings = countedSiblings()) {
  /** @type {Proofs} */
  const proofs = { alone: new Map(), pageOnly: new Map(), openers: new Map(), siblings };
  for (const tree of trees) proofs.alone.set(tree, new Map());
  return (element, tree) => {
    const selector = selectorOf(element, tree, proofs);
    const proven = isPageOnly(trees, stepsOf(selector)[0] ?? '', proofs) || countOf(search(trees, selector)) === 1;
    return proven ? selector : `>>> ${selector}`;
  };
}

/**
 * Write the way to an element from the page's own document, a step for each tree.
 * @param {Element} element
 * @param {Tree} tree
 * @param {Proofs} proofs
 * @returns {string}
 */
function selectorOf(element, tree, proofs) {
  const own = selectorIn(tree, element, proofs);
  if (!tree.opener || !tree.outer) return own;
  const opener = proofs.openers.get(tree.opener) ?? selectorOf(tree.opener, tree.outer, proofs);
  proofs.openers.set(tree.opener, opener);
  return `${opener} >>> ${own}`;
}

/**
 * Write the best selector that is unique in the element's own tree. A class comes after a path from a handle, for it is
 * often a passing state (`li.active`), but before a path from the root, which any change above breaks.
 * @param {Tree} tree
 * @param {Element} element
 * @param {Proofs} proofs
 * @returns {string}
 */
function selectorIn(tree, element, proofs) {
  const brief = [...handlesOf(element), ...namesOf(element)].find((css) => isAlone(tree, css, proofs));
  if (brief) return brief;
  const anchor = anchorOf(tree, element, proofs);
  const path = pathTo(tree, element, anchor, (at) => stepTo(at, proofs));
  if (anchor?.firm && isAlone(tree, path, proofs)) return path;
  const other = [...classesOf(element), path].find((css) => isAlone(tree, css, proofs));
  return other ?? pathTo(tree, element, null, (at) => `:nth-child(${proofs.siblings.place(at)})`);
}

/**
 * @param {Tree} tree
 * @param {string} css
 * @param {Proofs} proofs
 * @returns {boolean}  exactly one element of the tree matches
 */
function isAlone(tree, css, { alone }) {
  const known = /** @type {Map<string, boolean>} */ (alone.get(tree));
  const is = known.get(css) ?? matchesIn(tree.root, css).length === 1;
  known.set(css, is);
  return is;
}

/**
 * Say whether a first step, unique in the page's own document, is met nowhere else: then so is whatever follows it.
 * @param {Tree[]} trees
 * @param {string} css
 * @param {Proofs} proofs
 * @returns {boolean}
 */
function isPageOnly([, ...others], css, { pageOnly }) {
  const is = pageOnly.get(css) ?? !others.some(({ root }) => hasMatch(root, css));
  pageOnly.set(css, is);
  return is;
}

/**
 * What a page's author gave the element to be known by.
 * @param {Element} element
 * @returns {string[]}
 */
function handlesOf(element) {
  const ids = legible(nodes.attribute(element, 'id')).map((id) => `#${CSS.escape(id)}`);
  return [...ids, ...legible(nodes.attribute(element, 'data-testid')).map((id) => `[data-testid="${quoted(id)}"]`)];
}

/**
 * What else names the element: its name, its tag.
 * @param {Element} element
 * @returns {string[]}
 */
function namesOf(element) {
  const tag = CSS.escape(nodes.tag(element));
  return [...legible(nodes.attribute(element, 'name')).map((name) => `${tag}[name="${quoted(name)}"]`), tag];
}

/**
 * @param {Element} element
 * @returns {string[]}  its tag with each of its first classes
 */
function classesOf(element) {
  const classes = (nodes.attribute(element, 'class') ?? '').split(/\s+/).flatMap(legible).slice(0, 3);
  return classes.map((name) => `${CSS.escape(nodes.tag(element))}.${CSS.escape(name)}`);
}

/**
 * Let through what can stand in a selector that people read.
 * @param {string | null} value
 * @returns {string[]}  the value, or nothing
 */
function legible(value) {
  const fits = value && value.length <= HANDLE_CHARACTERS && value.isWellFormed() && !/[\0-\x1F\x7F]/.test(value);
  return fits ? [value] : [];
}

/**
 * @param {string} value
 * @returns {string}  as it stands between double quotes in CSS
 */
function quoted(value) {
  return value.replace(/["\\]/g, '\\$&');
}

/**
 * Where a path may begin; firm, if that has a handle.
 * @typedef {{ancestor: Element, css: string, firm: boolean}} Anchor
 */

/**
 * Find the nearest ancestor with a handle, else the body.
 * @param {Tree} tree
 * @param {Element} element
 * @param {Proofs} proofs
 * @returns {Anchor | null}
 */
function anchorOf(tree, element, proofs) {
  for (let at = nodes.parent(element); at && at !== tree.root; at = nodes.parent(at)) {
    const ancestor = /** @type {Element} */ (at);
    const css = handlesOf(ancestor).find((handle) => isAlone(tree, handle, proofs));
    if (css) return { ancestor, css, firm: true };
    if (isHtml(ancestor, 'body') && isAlone(tree, 'body', proofs)) return { ancestor, css: 'body', firm: false };
  }
  return null;
}

/**
 * Write the way down to an element from an anchor, else from the root of its tree.
 * @param {Tree} tree
 * @param {Element} element
 * @param {Anchor | null} anchor
 * @param {(element: Element) => string} step
 * @returns {string}
 */
function pathTo(tree, element, anchor, step) {
  const steps = [];
  /** @type {Node | null} */
  let at = element;
  for (; at && at !== tree.root && at !== anchor?.ancestor; at = nodes.parent(at)) {
    const isTop = isDocument(tree.root) && nodes.parent(at) === tree.root;
    steps.unshift(isTop ? ':root' : step(/** @type {Element} */ (at)));
  }
  if (anchor) steps.unshift(anchor.css);
  else if (!isDocument(tree.root)) steps.unshift(':host');
  return steps.join(' > ');
}

/**
 * @param {Element} element
 * @param {Proofs} proofs
 * @returns {string}  its tag, with its place if a sibling has the same tag
 */
function stepTo(element, { siblings }) {
  return CSS.escape(nodes.tag(element)) + (siblings.hasTwin(element) ? `:nth-child(${siblings.place(element)})` : '');
}

/**
 * Know siblings by counting each family once, for many elements.
 * @returns {Siblings}
 */
function countedSiblings() {
  /** @type {Map<Node, Family>} */
  const families = new Map();
  /** @param {Element} element */
  const familyOf = (element) => {
    const parent = nodes.parent(element) ?? element;
    const family = families.get(parent) ?? familyIn(parent);
    families.set(parent, family);
    return family;
  };
  return {
    hasTwin: (element) => (familyOf(element).tags.get(nodes.tag(element)) ?? 0) > 1,
    place: (element) => familyOf(element).places.get(element) ?? 1,
  };
}

/**
 * @param {Node} parent
 * @returns {Family}
 */
function familyIn(parent) {
  const family = { places: new Map(), tags: new Map() };
  for (const child of nodes.childNodes(parent)) {
    if (child.nodeType !== 1 || isOurs(child)) continue;
    const tag = nodes.tag(/** @type {Element} */ (child));
    family.places.set(child, family.places.size + 1);
    family.tags.set(tag, (family.tags.get(tag) ?? 0) + 1);
  }
  return family;
}
