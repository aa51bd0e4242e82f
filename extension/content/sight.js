// Says where an element is drawn and how much of it is in sight; it must change nothing but, when asked, what is scrolled.

'use strict';

/**
 * An element, and the tree that it stands in.
 * @typedef {{element: Element, tree: Tree}} Found
 */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Edges */

/**
 * @param {Element} element
 * @returns {boolean}  it has no box of its own, its children stand in its place
 */
function isBoxless(element) {
  return getComputedStyle(element).display === 'contents';
}

/**
 * Give the box of an element, or the one around its content if it has none, in its own frame's viewport.
 * @param {Element} element
 * @returns {DOMRect}
 */
function outlineOf(element) {
  if (!isBoxless(element)) return nodes.box(element);
  const content = new Range();
  content.selectNodeContents(element);
  return content.getBoundingClientRect();
}

/**
 * @param {Found} found
 * @returns {boolean}  it can be seen, if need be by scrolling
 */
function canBeSeen({ element, tree }) {
  const outline = outlineOf(element);
  /** @type {Element | null} */
  let boxed = element;
  while (boxed && isBoxless(boxed)) boxed = around(boxed);
  return boxed !== null && isVisible(boxed, outline) && viewOf(tree).visible;
}

/**
 * Give an element's outline in the viewport of the page.
 * @param {Found} found
 * @returns {Box}
 */
function boundsOf({ element, tree }) {
  const outline = outlineOf(element);
  const view = viewOf(tree);
  return {
    x: view.x + outline.x * view.scaleX,
    y: view.y + outline.y * view.scaleY,
    width: outline.width * view.scaleX,
    height: outline.height * view.scaleY,
  };
}

/**
 * Scroll an element into the middle of all that scrolls around it, unless it is in sight. What is larger than the window
 * is in sight as soon as a part of it is: to move it would only lose the reader's place.
 * @param {Found} found
 */
function bringIntoSight(found) {
  const { width, height } = boundsOf(found);
  const seen = sightOf(found.tree, outlineOf(found.element), found.element);
  const [across, down] = [Math.max(0, seen.right - seen.left), Math.max(0, seen.bottom - seen.top)];
  const pane = paneSize();
  const whole = across >= Math.min(width, pane.width) - 1 && down >= Math.min(height, pane.height) - 1;
  const large = width > pane.width || height > pane.height;
  if (whole || (large && across > 0 && down > 0)) return;
  const { element } = found;
  const boxed = isBoxless(element) ? (nodes.firstChild(element) ?? around(element)) : element;
  if (boxed) nodes.scrollIntoView(boxed, { block: 'center', inline: 'center', behavior: 'instant' });
}

/**
 * Cut from a box what the scrollers and windows around it hide. What is positioned may stick out of a scroller; it is
 * then held to be hidden, and scrolled without need.
 * @param {Tree} tree
 * @param {Edges} box  in the viewport of the tree's frame
 * @param {Element} element
 * @returns {Edges}  in the viewport of the page
 */
function sightOf(tree, box, element) {
  let seen = box;
  let outermost = tree;
  for (let at = around(element); at; at = around(at)) if (cuts(at)) seen = common(seen, nodes.box(at));
  while (!isDocument(outermost.root) && outermost.outer) outermost = outermost.outer;
  const { opener, outer } = outermost;
  const { width, height } = paneSize();
  if (!opener || !outer) return common(seen, { left: 0, top: 0, right: width, bottom: height });
  const [own, above] = [viewOf(outermost), viewOf(outer)];
  /** @type {(x: number) => number} */
  const across = (x) => (own.x + x * own.scaleX - above.x) / above.scaleX;
  /** @type {(y: number) => number} */
  const down = (y) => (own.y + y * own.scaleY - above.y) / above.scaleY;
  const moved = { left: across(seen.left), top: down(seen.top), right: across(seen.right), bottom: down(seen.bottom) };
  return sightOf(outer, common(moved, nodes.box(opener)), opener);
}

/** @returns {{width: number, height: number}}  of the window, without the scroll bars */
function paneSize() {
  const { width, height, scale } = visualViewport ?? { width: innerWidth, height: innerHeight, scale: 1 };
  return { width: width * scale, height: height * scale };
}

/**
 * @param {Element} element
 * @returns {Element | null}  what it is drawn in, in its own frame: its slot, its host, its parent
 */
function around(element) {
  const parent = nodes.slot(element) ?? nodes.parent(element);
  if (parent?.nodeType === 1) return /** @type {Element} */ (parent);
  return parent?.nodeType === 11 ? (/** @type {ShadowRoot} */ (parent).host ?? null) : null;
}

/**
 * @param {Element} element
 * @returns {boolean}  what sticks out of it is hidden; what the root and the body say of that, the window does
 */
function cuts(element) {
  return !isHtml(element, 'html') && !isHtml(element, 'body') && getComputedStyle(element).overflow !== 'visible';
}

/**
 * @param {Edges} one
 * @param {Edges} other
 * @returns {Edges}
 */
function common(one, other) {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}
