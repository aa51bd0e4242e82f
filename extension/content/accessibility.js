// Audits a page before an action and what it changed after it, by axe; it must leave no trace in the page. Injected when asked for.
//
// New is what axe finds at an element at which the same rule found nothing before. An element that has taken the place of
// one that is gone is not new for what was wrong with that one, too: a framework that draws a list again breaks nothing.

'use strict';

/** @typedef {{element: Element, target: unknown[]}} AxeNode */
/** @typedef {{id: string, impact: string | null, help: string, nodes: AxeNode[]}} AxeRule */
/** @typedef {{element: Element, selector: string}} KnownPlace */

/** @type {{run: (context: object, options: object) => Promise<{violations: AxeRule[]}>}} */
// @ts-ignore: declared by vendor/axe.min.js, which is injected before this
var axe;

/** The most rules that are told, and places of each. */
var RULES_TOLD = 20;
var PLACES_TOLD = 5;
var PLACE_CHARACTERS = 100;

var IMPACTS = ['critical', 'serious', 'moderate', 'minor'];

/** No frames: axe would post messages that the page hears. No preload: it would load the page's style sheets again. */
var AXE_OPTIONS = { resultTypes: ['violations'], elementRef: true, iframes: false, preload: false };

/** @type {Map<string, KnownPlace[]> | undefined}  what was wrong before, by rule */
var knownViolations;

/** @returns {Promise<{}>} */
async function auditBefore() {
  const found = await violationsIn([document]);
  knownViolations = new Map(found.map(({ id, nodes }) => [id, nodes.map(({ element, target }) => ({ element, selector: selectorFrom(target) }))]));
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

/**
 * @param {Node[]} include
 * @returns {Promise<AxeRule[]>}
 */
async function violationsIn(include) {
  const exclude = [...(ours ?? [])].filter((node) => nodes.isConnected(node));
  return (await axe.run({ include, ...(exclude.length && { exclude }) }, AXE_OPTIONS)).violations;
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
    const place = gone.indexOf(selectorFrom(target));
    if (place >= 0) gone.splice(place, 1);
    return place < 0;
  });
  if (!fresh.length) return [];
  const selectors = fresh.slice(0, PLACES_TOLD).map(({ target }) => clip(selectorFrom(target), PLACE_CHARACTERS));
  return [{ id, impact: impact ?? 'minor', help, count: fresh.length, nodes: selectors }];
}

/**
 * @param {unknown[]} target  axe's: a selector, or one for each shadow root on the way
 * @returns {string}
 */
function selectorFrom(target) {
  return target.flat().join(' >>> ');
}

/** @param {{impact: string}} rule */
function rankOf({ impact }) {
  return IMPACTS.indexOf(impact);
}
