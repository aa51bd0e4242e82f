// Audits a page before an action and what it changed after it, by axe; it must leave no trace in the page.
//
// New is what axe finds at an element at which the same rule found nothing before. An element that has taken the place of
// one that is gone is not new for what was wrong with that one, too: a framework that draws a list again breaks nothing.

import { alone } from '../dom/axe_run.ts';
import { isDocument, nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { frame } from '../frame.ts';
import { changed, documentOf, topmostOf } from './changed_subtrees.ts';
import { compactName } from './changes.ts';

type AxeNode = { element: Element; target: unknown[] };

type AxeRule = { id: string; impact: string | null; help: string; nodes: AxeNode[] };

type KnownPlace = { element: Element; selector: string };

/** The most rules that are reported, and places of each. */
const RULES_REPORTED = 20;
const PLACES_REPORTED = 5;
const PLACE_CHARACTERS = 100;

const IMPACTS = ['critical', 'serious', 'moderate', 'minor'];

/**
 * No frames: axe would post messages that the page receives; ours are audited each by its own axe. No preload: it would
 * load the page's style sheets again.
 */
const AXE_OPTIONS = { resultTypes: ['violations'], elementRef: true, iframes: false, preload: false };

/** The most elements of one audit, which holds up the page meanwhile: 5,000 took 2 s. */
const ELEMENTS_AUDITED = 5_000;

/** The most of a page of which axe audits any part: it looks at every element before, 90 µs each. */
const ELEMENTS_MOST = 20_000;

const PARTIAL = `Of a page, and of an addition, of more than ${ELEMENTS_AUDITED} elements only smaller additions are audited.`;

/** What was wrong before, by rule; of a page that is too large for that, the elements that it had. */
let knownViolations: Map<string, KnownPlace[]> | undefined;
let earlier: WeakSet<Element> | undefined;

export async function auditBefore(): Promise<object> {
  const trees = treesOf(document);
  const elements = trees.flatMap((tree) => [...tree.elements]);
  if (elements.length > ELEMENTS_MOST) return { a11y_unavailable: tooLarge(elements.length) };
  earlier = elements.length > ELEMENTS_AUDITED ? new WeakSet(elements) : undefined;
  const places = earlier ? [] : trees.flatMap(({ root }) => (isDocument(root) ? [root] : []));
  const found = await violationsIn(places);
  knownViolations = new Map(found.map(({ id, nodes }) => [id, nodes.map(placeOf)]));
  return {};
}

/** Return what is wrong with what changed, and was not before. */
export async function auditAfter(): Promise<object> {
  const known = knownViolations;
  const large = earlier;
  const noted = [...(changed.roots ?? [])];
  const all = topmostOf(large ? noted.filter((root) => !large.has(root)) : noted);
  const roots = withinSize(all);
  knownViolations = earlier = changed.roots = undefined;
  if (!known) return { a11y_unavailable: 'The page was left.' };
  const found = roots.length ? await violationsIn(roots) : [];
  const rules = found
    .flatMap((rule) => newOf(rule, known.get(rule.id) ?? []))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const omitted = rules.length - RULES_REPORTED;
  const partial = (large || roots.length < all.length) && { partial: PARTIAL };
  return { a11y: { new: rules.slice(0, RULES_REPORTED), ...(omitted > 0 && { omitted }), ...partial } };
}

function tooLarge(count: number) {
  return `The page has ${count} elements; of more than ${ELEMENTS_MOST} none is audited.`;
}

/** Choose the places, in order, that have no more elements together than one audit may have. */
function withinSize(roots: Element[]): Element[] {
  let left = ELEMENTS_AUDITED;
  return roots.filter((root) => {
    const count = 1 + nodes.within(root, '*').length;
    if (count > left) return false;
    left -= count;
    return true;
  });
}

/** Whether the page has frames of its origin: these need an axe of their own. */
export function hasOwnFrames(): boolean {
  return treesOf(document).some(({ root }) => isDocument(root) && root !== document);
}

/** `places` are whole documents, or parts of them. A rule may come once for each document. */
async function violationsIn(places: Node[]): Promise<AxeRule[]> {
  const found = [];
  for (const [page, include] of Map.groupBy(places, (node) => documentOf(node) ?? node)) {
    const own = (page as any).defaultView?.axe;
    const exclude = [...frame.ownNodes].filter((node) => nodes.isConnected(node) && documentOf(node) === page);
    if (!own) continue;
    const context = { include, ...(exclude.length && { exclude }) };
    found.push(...(await alone<{ violations: AxeRule[] }>(() => own.run(context, AXE_OPTIONS))).violations);
  }
  return mergedBy(found);
}

/** Return each rule once. */
function mergedBy(found: AxeRule[]): AxeRule[] {
  const rules: Map<string, AxeRule> = new Map();
  for (const rule of found) {
    const known = rules.get(rule.id);
    if (known) known.nodes.push(...rule.nodes);
    else rules.set(rule.id, rule);
  }
  return [...rules.values()];
}

/** `known` lists where the rule was broken before. */
function newOf({ id, impact, help, nodes: places }: AxeRule, known: KnownPlace[]) {
  const elements = new Set(known.map(({ element }) => element));
  const gone = known.filter(({ element }) => !nodes.isConnected(element)).map(({ selector }) => selector);
  const fresh = places.filter(({ element, target }) => {
    if (elements.has(element)) return false;
    const place = gone.indexOf(placeOf({ element, target }).selector);
    if (place >= 0) gone.splice(place, 1);
    return place < 0;
  });
  if (!fresh.length) return [];
  const selectors = fresh.slice(0, PLACES_REPORTED).map((node) => clip(placeOf(node).selector, PLACE_CHARACTERS));
  return [{ id, impact: impact ?? 'minor', help, count: fresh.length, nodes: selectors }];
}

/** The target is axe's: a selector, or one for each shadow root on the way. */
function placeOf({ element, target }: AxeNode): KnownPlace {
  return { element, selector: [...framesAbove(element), ...target.flat()].join(' >>> ') };
}

/** Return the frames on the way to it. */
function framesAbove(node: Node): string[] {
  const frame = (documentOf(node) as any)?.defaultView?.frameElement;
  return frame && documentOf(node) !== document ? [...framesAbove(frame), compactName(frame)] : [];
}

function rankOf({ impact }: { impact: string }) {
  return IMPACTS.indexOf(impact);
}
