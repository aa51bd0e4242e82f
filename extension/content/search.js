// Finds elements through open shadow roots and frames of the same origin; it must not look into closed roots.
//
// The order is that of the composed page: what a host or a frame opens comes right after it, before its own children.

'use strict';

/**
 * One document or open shadow root of the page, and what opens it.
 * @typedef {object} Tree
 * @property {Document | ShadowRoot} root
 * @property {Element | null} opener  the host or the frame; null for the page's own document
 * @property {Tree | null} outer  the tree that the opener stands in
 * @property {Elements} elements
 * @property {Map<Element, Tree>} inner  by opener, in order
 */

/**
 * What a selector found: the matches of each tree in which it was looked for.
 * @typedef {Map<Tree, Elements>} Finding
 */

/**
 * Give the tree that an element opens: its open shadow root, or the document of a frame of the same origin.
 * @param {Element} element
 * @returns {Document | ShadowRoot | null}
 */
function openedBy(element) {
  return nodes.shadowRoot(element) ?? (isHtml(element, 'iframe') ? nodes.frameDocument(/** @type {any} */ (element)) : null);
}

/**
 * List every tree of the page, the page's own document first, each before those inside it.
 * @param {Document | ShadowRoot} root
 * @param {Element | null} [opener]
 * @param {Tree | null} [outer]
 * @returns {Tree[]}
 */
function treesOf(root, opener = null, outer = null) {
  /** @type {Tree} */
  const tree = { root, opener, outer, elements: matchesIn(root, '*'), inner: new Map() };
  const trees = [tree];
  for (const element of tree.elements) {
    const opened = openedBy(element);
    if (!opened) continue;
    const [inner, ...deeper] = treesOf(opened, element, tree);
    tree.inner.set(element, /** @type {Tree} */ (inner));
    trees.push(/** @type {Tree} */ (inner), ...deeper);
  }
  return trees;
}

/**
 * Look for a selector, written as `steps.js` says.
 * @param {Tree[]} trees
 * @param {string} selector
 * @returns {Finding}
 * @throws {DOMException} a step does not parse
 */
function search(trees, selector) {
  let [first = '', ...steps] = stepsOf(selector);
  let places = trees;
  if (!first && steps.length) {
    places = trees.slice(0, 1);
    first = /** @type {string} */ (steps.shift());
  }
  let found = within(places, first);
  for (const step of steps) found = within(openedIn(found), step);
  return found;
}

/**
 * Check that every step of a selector can be looked for, also where an earlier step finds nothing.
 * @param {string} selector
 * @throws {DOMException} a step does not parse
 */
function parse(selector) {
  const [first = '', ...steps] = stepsOf(selector);
  const nothing = new DocumentFragment();
  for (const step of first || !steps.length ? [first, ...steps] : steps) nothing.querySelector(step);
}

/**
 * @param {Tree[]} trees
 * @param {string} css
 * @returns {Finding}
 */
function within(trees, css) {
  return new Map(trees.map((tree) => [tree, matchesIn(tree.root, css)]));
}

/**
 * @param {Finding} found
 * @returns {Tree[]}  the trees that found elements open
 */
function openedIn(found) {
  return [...found].flatMap(([tree, elements]) => [...elements].flatMap((element) => tree.inner.get(element) ?? []));
}

/**
 * @param {Finding} found
 * @returns {number}
 */
function countOf(found) {
  let count = 0;
  for (const elements of found.values()) count += elements.length;
  return count;
}

/**
 * Go through what was found, in composed order.
 * @param {Finding} found
 * @param {Tree} tree  the page's own
 * @returns {Generator<{element: Element, tree: Tree}>}
 */
function* inOrder(found, tree) {
  const matches = found.get(tree) ?? [];
  if (!tree.inner.size) {
    for (const element of matches) yield { element, tree };
    return;
  }
  const wanted = new Set(matches);
  for (const element of tree.elements) {
    if (wanted.has(element)) yield { element, tree };
    const inner = tree.inner.get(element);
    if (inner) yield* inOrder(found, inner);
  }
}
