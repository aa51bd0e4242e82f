// Chooses the one element that an action is done to, and sees that it can be; it must do nothing but scroll.

'use strict';

/** How many candidates an ambiguous selector is answered with (SPEC, Selectors). */
var CANDIDATES = 5;

/** @typedef {{selector: string, nth: number | null}} Aim */

/**
 * @param {Record<string, unknown>} query
 * @returns {Aim}
 */
function aimOf({ selector, nth }) {
  if (typeof selector !== 'string' || !selector.trim()) refuse('selector', selector, 'selector must be a text that is not empty.');
  if (nth !== undefined && (typeof nth !== 'number' || !Number.isInteger(nth) || nth < 0)) {
    refuse('nth', nth, 'nth must be a whole number from 0, the first.');
  }
  return { selector: /** @type {string} */ (selector), nth: /** @type {number | undefined} */ (nth) ?? null };
}

/**
 * Choose the element for something that only reads: the first match, visible or not.
 * @param {Record<string, unknown>} query
 * @returns {Found}
 */
function readable(query) {
  const { selector, nth } = aimOf(query);
  const found = locate(treesOf(document), selector);
  return found[nth ?? 0] ?? notFound(selector, found.length, nth);
}

/**
 * Choose the element to act on: the one visible match, or the one that `nth` says.
 * @param {Record<string, unknown>} query
 * @param {(found: Found) => boolean} [fits]
 * @returns {Found}
 */
function actable(query, fits = canBeActedOn) {
  const { selector, nth } = aimOf(query);
  const trees = treesOf(document);
  const found = locate(trees, selector);
  const plain = found.filter(fits);
  const seen = plain.length || fits !== canBeActedOn ? plain : found.filter(isDrawnOtherwise); // may be a trap for robots: not if another is seen
  if (nth !== null) return seen[nth] ?? (found.length && !seen.length ? notVisible(selector, found.length) : notFound(selector, seen.length, nth));
  if (seen.length > 1) ambiguous(selector, seen, trees);
  return seen[0] ?? (found.length ? notVisible(selector, found.length) : notFound(selector, 0, null));
}

/**
 * Say whether a match is seen; a file field is often hidden behind its label, a box that is ticked behind a drawn one.
 * @param {Found} found
 */
function canBeActedOn(found) {
  const { element } = found;
  const stoodInFor = isHtml(element, 'input') && /^(file|checkbox|radio)$/.test(/** @type {HTMLInputElement} */ (element).type);
  const isBox = stoodInFor && /** @type {HTMLInputElement} */ (element).type !== 'file';
  return canBeSeen(found) || (isBox && isDrawnOtherwise(found)) || (stoodInFor && [.../** @type {HTMLInputElement} */ (element).labels ?? []].some((label) => nodes.isRendered(label)));
}

/**
 * Say whether a field is only transparent, over what is drawn in its place: components do so with boxes, and with the
 * field of a list that has a choice.
 * @param {Found} found
 * @returns {boolean}
 */
function isDrawnOtherwise({ element, tree }) {
  const { width, height } = nodes.box(element);
  if (!isHtml(element, 'input') || !width || !height || !nodes.isRendered(element, { checkVisibilityCSS: true })) return false;
  const { opacity, pointerEvents } = getComputedStyle(element);
  const over = around(element);
  return opacity === '0' && pointerEvents !== 'none' && nodes.attribute(element, 'aria-hidden') !== 'true' && over !== null && canBeSeen({ element: over, tree });
}

/**
 * Bring an element into sight, and see that a pointer at its middle would hit it.
 * @param {Found} found
 * @param {string} selector
 * @returns {{x: number, y: number}}  its middle, in its own frame's viewport
 */
function reachable(found, selector) {
  const { element, tree } = found;
  enabled(element, selector);
  bringIntoSight(found);
  const { left, top, right, bottom } = outlineOf(element);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const root = /** @type {Document | ShadowRoot} */ (tree.root);
  const hit = root.elementFromPoint(x, y);
  if (hit && hit !== element && !contains(element, hit) && !isLabelOf(hit, element)) {
    fail('element_covered', `${JSON.stringify(clip(selector, 200))} is covered by ${briefNameOf(hit)}.`, {
      details: { selector: clip(selector, 500), covered_by: nameOf(hit) },
      recovery: 'Close or move what covers it (a dialog, a banner), or scroll; then try again.',
    });
  }
  return { x, y };
}

/**
 * @param {Element} element
 * @param {string} selector
 */
function enabled(element, selector) {
  const off = nodes.matches(element, ':disabled') || nodes.closest(element, '[aria-disabled="true"], [inert]') !== null;
  if (!off) return;
  fail('element_disabled', `${JSON.stringify(clip(selector, 200))} is disabled.`, {
    details: { selector: clip(selector, 500) },
    recovery: 'Do first what enables it: fill what is required, or wait with interact(action:"wait_for").',
  });
}

/**
 * @param {Element} element
 * @param {Element} other
 * @returns {boolean}  the other is drawn in it: slots and shadow roots included
 */
function contains(element, other) {
  for (let at = /** @type {Element | null} */ (other); at; at = around(at)) if (at === element) return true;
  return false;
}

/**
 * @param {Element} hit
 * @param {Element} element
 */
function isLabelOf(hit, element) {
  return [.../** @type {HTMLInputElement} */ (element).labels ?? []].some((label) => contains(label, hit));
}

/**
 * @param {string} selector
 * @param {number} count
 * @param {number | null} nth
 * @returns {never}
 */
function notFound(selector, count, nth) {
  const shown = JSON.stringify(clip(selector, 500));
  const text = nth !== null && count ? `${shown} has ${count} matches that can be seen, so no number ${nth}.` : `Nothing on the page matches ${shown}.`;
  return fail('element_not_found', text, {
    details: { selector: clip(selector, 500), match_count: count },
    recovery: 'Look with query_dom or interact(action:"list_interactive"), or wait with interact(action:"wait_for").',
  });
}

/**
 * @param {string} selector
 * @param {number} count
 * @returns {never}
 */
function notVisible(selector, count) {
  return fail('element_not_visible', `What matches ${JSON.stringify(clip(selector, 500))} cannot be seen.`, {
    details: { selector: clip(selector, 500), match_count: count },
    recovery: 'Bring it to light first (open its menu or dialog), or choose another element.',
  });
}

/**
 * @param {string} selector
 * @param {Found[]} seen
 * @param {Tree[]} trees
 * @returns {never}
 */
function ambiguous(selector, seen, trees) {
  const write = selectorWriter(trees);
  const candidates = seen.slice(0, CANDIDATES).map(({ element, tree }) => ({
    selector: write(element, tree),
    text: clip(oneLine(accessibleName(element) || (element.textContent ?? '')), 60),
  }));
  return fail('ambiguous_selector', `${seen.length} visible elements match ${JSON.stringify(clip(selector, 500))}.`, {
    details: { match_count: seen.length, candidates },
    recovery: 'Use the selector of the one that is meant, or nth (0 is the first).',
  });
}
