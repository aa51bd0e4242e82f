// Audits a page before an action and what it changed after it, by axe; it must leave no trace in the page. Injected when asked for.
//
// New is what axe finds at an element at which the same rule found nothing before. An element that has taken the place of
// one that is gone is not new for what was wrong with that one, too: a framework that draws a list again breaks nothing.

'use strict';

/** @typedef {{element: Element, target: unknown[]}} AxeNode */
/** @typedef {{id: string, impact: string | null, help: string, nodes: AxeNode[]}} AxeRule */
/** @typedef {{element: Element, selector: string}} KnownPlace */

/** The most rules that are told, and places of each. */
var RULES_TOLD = 20;
var PLACES_TOLD = 5;
var PLACE_CHARACTERS = 100;

var IMPACTS = ['critical', 'serious', 'moderate', 'minor'];

/** No frames: axe would post messages that the page hears; ours are audited each by its own axe. No preload: it would load the page's style sheets again. */
var AXE_OPTIONS = { resultTypes: ['violations'], elementRef: true, iframes: false, preload: false };

/** @type {Map<string, KnownPlace[]> | undefined}  what was wrong before, by rule */
var knownViolations;

/** @returns {Promise<{}>} */
async function auditBefore() {
  const found = await violationsIn(treesOf(document).flatMap(({ root }) => (isDocument(root) ? [root] : [])));
  knownViolations = new Map(found.map(({ id, nodes }) => [id, nodes.map(placeOf)]));
  return {};
}

/** @returns {Promise<object>}  what is wrong with what changed, and was not before */
async function auditAfter() {
  const known = knownViolations;
  const roots = topmostOf(changedRoots ?? []);
  knownViolations = changedRoots = undefined;
  if (!known) return { a11y_unavailable: 'The page was left.' };
  const found = roots.length ? await violationsIn(roots) : [];
  const rules = found.flatMap((rule) => newOf(rule, known.get(rule.id) ?? [])).sort((one, other) => rankOf(one) - rankOf(other));
  const omitted = rules.length - RULES_TOLD;
  return { a11y: { new: rules.slice(0, RULES_TOLD), ...(omitted > 0 && { omitted }) } };
}

/** @returns {boolean}  the page has frames of its origin: these need an axe of their own */
function hasOwnFrames() {
  return treesOf(document).some(({ root }) => isDocument(root) && root !== document);
}

/**
 * @param {Node[]} places  whole documents, or parts of them
 * @returns {Promise<AxeRule[]>}  a rule may come once for each document
 */
async function violationsIn(places) {
  const found = [];
  for (const [page, include] of Map.groupBy(places, (node) => documentOf(node) ?? node)) {
    const own = /** @type {any} */ (page).defaultView?.axe;
    const exclude = [...(ours ?? [])].filter((node) => nodes.isConnected(node) && documentOf(node) === page);
    if (own) found.push(...(await own.run({ include, ...(exclude.length && { exclude }) }, AXE_OPTIONS)).violations);
  }
  return mergedBy(found);
}

/**
 * @param {AxeRule[]} found
 * @returns {AxeRule[]}  each rule once
 */
function mergedBy(found) {
  /** @type {Map<string, AxeRule>} */
  const rules = new Map();
  for (const rule of found) {
    const known = rules.get(rule.id);
    if (known) known.nodes.push(...rule.nodes);
    else rules.set(rule.id, rule);
  }
  return [...rules.values()];
}

/**
 * @param {AxeRule} rule
 * @param {KnownPlace[]} known  where the rule was broken before
 */
function newOf({ id, impact, help, nodes: places }, known) {
  const elements = new Set(known.map(({ element }) => element));
  const gone = known.filter(({ element }) => !nodes.isConnected(element)).map(({ selector }) => selector);
  const fresh = places.filter(({ element, target }) => {
    if (elements.has(element)) return false;
    const place = gone.indexOf(placeOf({ element, target }).selector);
    if (place >= 0) gone.splice(place, 1);
    return place < 0;
  });
  if (!fresh.length) return [];
  const selectors = fresh.slice(0, PLACES_TOLD).map((node) => clip(placeOf(node).selector, PLACE_CHARACTERS));
  return [{ id, impact: impact ?? 'minor', help, count: fresh.length, nodes: selectors }];
}

/**
 * @param {AxeNode} node  its target is axe's: a selector, or one for each shadow root on the way
 * @returns {KnownPlace}
 */
function placeOf({ element, target }) {
  return { element, selector: [...framesAbove(element), ...target.flat()].join(' >>> ') };
}

/**
 * @param {Node} node
 * @returns {string[]}  the frames on the way to it
 */
function framesAbove(node) {
  const frame = /** @type {any} */ (documentOf(node))?.defaultView?.frameElement;
  return frame && documentOf(node) !== document ? [...framesAbove(frame), compactName(frame)] : [];
}

/** @param {{impact: string}} rule */
function rankOf({ impact }) {
  return IMPACTS.indexOf(impact);
}
