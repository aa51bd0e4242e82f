// Answers `query_dom` (seed 002, feature 3); it must only ever read the page.

'use strict';

/**
 * @typedef {object} DomQueried
 * @property {string} url
 * @property {string} title
 * @property {Match[]} matches
 * @property {number} matchCount
 * @property {number} returnedCount
 */

/**
 * Describe the first matches of a selector, of all that the page and its open parts hold.
 * @param {Record<string, unknown>} query  the arguments of the tool
 * @returns {DomQueried}
 */
function queryDom(query) {
  const { selector, offset, wish } = understandQuery(query);
  const trees = treesOf(document);
  const found = searchOrRefuse(trees, selector);
  const writeSelector = selectorWriter(trees);
  const allowance = { left: LIMITS.answer };
  /** @type {Match[]} */
  const matches = [];
  let place = 0;
  for (const { element, tree } of inOrder(found, /** @type {Tree} */ (trees[0]))) {
    if (place++ < offset) continue;
    matches.push(describeMatch(element, tree, writeSelector(element, tree), wish, allowance));
    if (matches.length === LIMITS.matches || allowance.left <= 0) break;
  }
  return { ...pageName(), matches, matchCount: countOf(found), returnedCount: matches.length };
}

/**
 * @returns {{url: string, title: string}}
 */
function pageName() {
  return { url: clip(location.href, LIMITS.url), title: clip(nodes.title(document), LIMITS.text) };
}

/**
 * @param {Tree[]} trees
 * @param {string} selector
 * @returns {Finding}
 */
function searchOrRefuse(trees, selector) {
  try {
    parse(selector);
    return search(trees, selector);
  } catch (fault) {
    if (!(fault instanceof DOMException)) throw fault;
    return refuse('selector', selector, `The selector ${JSON.stringify(clip(selector, 500))} is not valid CSS.`);
  }
}

/**
 * Check the arguments, and set those that are absent.
 * @param {Record<string, unknown>} query
 * @returns {{selector: string, offset: number, wish: Wish}}
 */
function understandQuery(query) {
  const { properties, include_styles: styled, include_children: parental } = query;
  const selector = neededSelector(query);
  const named = properties ?? [];
  if (!Array.isArray(named) || !named.every((name) => typeof name === 'string')) {
    refuse('properties', properties, 'The properties must be a list of names of CSS properties.');
  }
  const depth = wholeNumber(query, 'max_depth', 3);
  const styles = named.length ? named : styled ? LAYOUT_PROPERTIES : null;
  return {
    selector,
    offset: wholeNumber(query, 'offset', 0),
    wish: { styles, depth: parental ? Math.min(depth, LIMITS.depth) : 0 },
  };
}

/**
 * @param {Record<string, unknown>} query
 * @returns {string}
 */
function neededSelector({ selector }) {
  if (typeof selector === 'string' && selector.trim()) return selector;
  return refuse('selector', selector, 'The selector must be a text that is not empty.');
}

/**
 * @param {Record<string, unknown>} query
 * @param {string} parameter
 * @param {number} otherwise
 * @returns {number}
 */
function wholeNumber(query, parameter, otherwise) {
  const value = query[parameter] ?? otherwise;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  return fits ? value : refuse(parameter, value, `${parameter} must be a whole number, 0 or more.`);
}
