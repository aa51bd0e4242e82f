// Finds the elements that an action means (SPEC, Selectors); it must not decide whether the action can be done.
//
// CSS by default, as `search.ts` reads it. Besides: `text=`, `role=` (with a name), `label=`, `placeholder=`, `testid=`,
// and `ref=`, a number that `list_interactive` or an outline gave in this very page. `a >> b` is `b` within `a`, and
// `a >> nth=1` the second of them, -1 the last. What is not within a text is looked for in its row.

import { type NameReader, nameReader } from './accessible_name.ts';
import { captionOf } from './captions.ts';
import { canBeActedOn } from './drawn_parts.ts';
import { fail, refuse } from './faults.ts';
import { isHtml, nodes } from './nodes.ts';
import { roleOf } from './roles.ts';
import { aboveEach, boxesOf, rowsOf } from './rows.ts';
import { countOf, inOrder, search, searchOrRefuse, type Tree } from './search.ts';
import { partsOf } from './selector_parser.ts';
import { quoted } from './selectors.ts';
import { inRowOrder } from './stated_order.ts';
import { clip, LISTED_NAME, oneLine, withoutMarks, wordsOf } from './text.ts';
import { canBeSeen, type Found, isForReaders, isOutOfSight } from './visibility.ts';
import { WORKED_WITH } from './widgets.ts';

/** The most elements that are compared by their text: a page of more is searched with CSS. */
const COMPARED = 50_000;

/** The longest text of an element that is found by its text. */
const TEXT_CHARACTERS = 2_000;

/** Letters of scripts with spaces between words. */
const LETTER = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\d]/u;
const LETTER_LAST = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\d]$/u;

/** The shortest text in quotation marks that may be one that `list_interactive` has cut. */
const CUT_CHARACTERS = LISTED_NAME - 2;

/** How many selectors are offered in the place of one that finds nothing. */
const OFFERED = 3;

/** A text that is longer by more than this is no label with a mark beside it. */
const MARKS_LENGTH = 4;

/** What is named by all that it holds, if at all, and meant by a text in it. */
const HOLDERS = ['row', 'columnheader', 'rowheader', 'cell', 'gridcell', 'listitem', 'article', 'treeitem'];

const LABELLED = [
  'input, select, textarea, button, meter, output, progress, [contenteditable]:not([contenteditable="false"])',
  ...'checkbox combobox listbox menuitemcheckbox menuitemradio radio searchbox slider spinbutton switch textbox'
    .split(' ')
    .map((role) => `[role="${role}"]`),
].join(', ');

/** What `list_interactive` and the outline have numbered. */
const refs: Map<number, WeakRef<Element>> = new Map();
const refNumbers: WeakMap<Element, number> = new WeakMap();

/** Distinguishes this page from every other: a ref of another page means nothing here. */
const refPage = Array.from(crypto.getRandomValues(new Uint8Array(2)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

/** Where is looked: in the trees of a page, and there in what was found before. */
type Place = { trees: Tree[]; within?: Set<Element> };

type Engine = (place: Place, wanted: string) => Found[];

const engines: Record<string, Engine> = {
  text: (place, wanted) => byText(place, wanted),
  role: (place, wanted) => byRole(place, wanted),
  label: (place, wanted) => byLabel(place, wanted),
  placeholder: (place, wanted) =>
    closest(withText(everything(place), wanted, (element) => nodes.attribute(element, 'placeholder') ?? '')),
  testid: (place, wanted) => [...matching(place, `[data-testid="${quoted(wanted)}"]`)],
  ref: ({ trees, within }, wanted) => byRef(trees, wanted).filter((one) => !within || isWithin(one, within, true)),
};

/** Find what a selector means, in the order of the composed page, and of a grid's rows as they are drawn. */
export function locate(trees: Tree[], selector: string): Found[] {
  return inRowOrder([...find(trees, selector).found]);
}

/** Find what has a text, which may be any. */
export function locateText(trees: Tree[], text: string): Found[] {
  return byText({ trees }, text.trim());
}

/** Count what a selector means, and find it as far as it is asked for: a page may have 100,000 matches. */
export function find(trees: Tree[], selector: string): { count: number; found: Iterable<Found> } {
  const [first = '', ...parts] = partsOf(selector);
  if (!parts.length && !engineOf(first)) {
    const finding = searchOrRefuse(trees, selector);
    return { count: countOf(finding), found: inOrder(finding, trees[0] as Tree) };
  }
  let found = partOf({ trees }, first, selector);
  let isInRow = meansRow(first);
  for (const part of parts) {
    const nth = /^nth=(-?\d+)$/.exec(part)?.[1];
    const within = new Set(found.map(({ element }) => element));
    found = nth === undefined ? partOf({ trees, within }, part, selector) : numbered(found, Number(nth));
    if (!found.length && isInRow && within.size) found = beside({ trees, within }, part, selector);
    if (nth === undefined) isInRow = meansRow(part);
  }
  return { count: found.length, found };
}

/** Whether what is looked for within a part may be beside it, in its row. */
function meansRow(part: string): boolean {
  return /^(text=|role=row\b)/.test(part);
}

/** Find what is in the row of what was found. */
function beside({ trees, within = new Set() }: Place, part: string, selector: string): Found[] {
  const rows = rowsOf(within);
  const inRows = rows.size ? partOf({ trees, within: rows }, part, selector) : [];
  if (inRows.length) return inRows;
  const wanted = partOf({ trees }, part, selector);
  const boxes = wanted.length ? boxesOf(within, wanted) : new Set<Element>();
  return wanted.filter((one) => isWithin(one, boxes, false));
}

/** Find a part of a selector in its place. */
function partOf(place: Place, part: string, selector: string): Found[] {
  const [engine, wanted = ''] = engineOf(part) ?? [];
  if (engine) return engine(place, wanted.trim());
  searchOrRefuse([], part, selector);
  return [...matching(place, part)];
}

/** Choose one of those that can be seen, or of all if none can; -1 is the last. */
function numbered(found: Found[], nth: number): Found[] {
  const drawn = inRowOrder(found.filter(isDrawn));
  const one = (drawn.length ? drawn : found).at(nth);
  return one ? [one] : [];
}

function engineOf(part: string): [Engine, string] | undefined {
  const [, name = '', wanted = ''] = /^\s*([a-z]+)=(.*)$/s.exec(part) ?? [];
  return Object.hasOwn(engines, name) ? [engines[name] as Engine, wanted] : undefined;
}

/** Iterate over what matches CSS in a place, in composed order; `orIs`: also what the place itself is. */
function* matching({ trees, within }: Place, css: string, orIs: boolean = false): Generator<Found> {
  for (const found of inOrder(search(trees, css), trees[0] as Tree))
    if (!within || isWithin(found, within, orIs)) yield found;
}

/** Whether an element is in one of those, also in a shadow root or a frame of the same origin; `orIs`: or is one. */
function isWithin({ element, tree }: Found, within: Set<Element>, orIs: boolean): boolean {
  if (orIs && within.has(element)) return true;
  for (let at: Element | null = element, place: Tree | null = tree; at; ) {
    const parent = nodes.parent(at);
    const isInTree: boolean = parent !== null && nodes.type(parent) === 1;
    at = isInTree ? (parent as Element) : (place?.opener ?? null);
    if (!isInTree) place = place?.outer ?? null;
    if (at && within.has(at)) return true;
  }
  return false;
}

/** Iterate over every element of a place, in composed order. */
function* everything(place: Place, orIs: boolean = false): Generator<Found> {
  let left = COMPARED;
  for (const found of matching(place, '*', orIs)) {
    if (left-- === 0) return;
    yield found;
  }
}

/** What matched a text, by how well: exactly, in another case, in part, in a part that begins or ends within a word. */
type Matches = [exact: Found[], whole: Found[], part: Found[], inWord: Found[]];

/** Compare elements by a text of theirs: in quotation marks the whole of it, else any that contains it, in any case. */
function withText(found: Iterable<Found>, wanted: string, textOf: (element: Element) => string): Matches {
  const rank = ranking(wanted);
  const matches: Matches = [[], [], [], []];
  for (const one of found) matches[rank(oneLine(textOf(one.element)))]?.push(one);
  return matches;
}

/** Return a function that ranks a text: 0 is the best, -1 is none. */
function ranking(wanted: string): (text: string) => number {
  const quoted = /^(["'])(.*)\1$/s.exec(wanted)?.[2];
  const exact = oneLine(quoted ?? wanted);
  const lower = exact.toLowerCase();
  const isWhole = (text: string) =>
    text === lower || (text.length <= lower.length + MARKS_LENGTH && withoutMarks(text) === lower);
  return (text) => {
    if (text === exact && (exact || quoted !== undefined)) return 0;
    if (!lower) return -1;
    if (isWhole(text.toLowerCase()) || (exact.length >= CUT_CHARACTERS && text.startsWith(exact))) return 1;
    return quoted === undefined ? rankOfPart(text.toLowerCase(), lower) : -1;
  };
}

/** Rank a text by the best place of a part: 2 between words, 3 within one; within a number it is another number: -1. */
function rankOfPart(text: string, part: string): number {
  let best = -1;
  for (let at = text.indexOf(part); at >= 0 && best !== 2; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text.slice(0, at).slice(-2), text.slice(at + part.length, at + part.length + 2)];
    const isInNumber = (/\d[.,]?$/.test(before) && /^\d/.test(part)) || (/\d$/.test(part) && /^[.,]?\d/.test(after));
    const isInWord = (LETTER_LAST.test(before) && LETTER.test(part)) || (LETTER_LAST.test(part) && LETTER.test(after));
    if (!isInNumber) best = isInWord ? 3 : 2;
  }
  return best;
}

/** Return the best matches of which any can be seen, or something else in its place, else the best there are. */
function closest(ranks: Found[][], isMeant: (one: Found, rank: Found[]) => boolean = () => true): Found[] {
  const best = ranks.find((found) => found.some((one) => isDrawn(one) && isMeant(one, found)));
  return best?.filter((one) => isMeant(one, best)) ?? ranks.find((found) => found.length) ?? [];
}

function isDrawn(one: Found): boolean {
  return canBeSeen(one) || canBeActedOn(one);
}

/** Find by what is read; then by the names of what people work with, as list_interactive has them. */
function byText(place: Place, wanted: string): Found[] {
  const [exact, whole, part, inWord] = withText(everything(place, true), wanted, shownText).map((found) =>
    innermost(found).map(controlInstead),
  ) as Matches;
  if (exact.some(canBeSeen)) return exact;
  const nameOf = nameReader();
  const named = withText(matching(place, WORKED_WITH, true), wanted, nameOf);
  const [exactly, wholly, partly, nearly] = named.map(innermost) as Matches;
  const isRead = readerOf(wanted, [...exact, ...whole, ...part]);
  const byText = [whole, part, inWord];
  const ranks = [exact, exactly, whole, wholly, part, partly, inWord, nearly];
  return closest(ranks, (one, found) => !byText.includes(found) || isRead(one));
}

/** Return whether a text can be read in an element, and is not only in one of these in it. */
function readerOf(wanted: string, found: Found[]): (one: Found) => boolean {
  const above = aboveEach(found);
  const rank = ranking(wanted);
  return ({ element }) => !above.has(element) || rank(oneLine((element as HTMLElement).innerText ?? '')) >= 0;
}

/** Return, for a text that can be seen nowhere, what it names: the sign of a button often has such a text beside it. */
function controlInstead(found: Found): Found {
  const control = isOutOfSight(found.element) ? nodes.closest(found.element, WORKED_WITH) : null;
  return control ? { element: control, tree: found.tree } : found;
}

function byLabel(place: Place, wanted: string): Found[] {
  const nameOf = nameReader();
  const fields = [...everything(place)].filter(({ element }) => takesLabel(element));
  const named = closest(withText(fields, wanted, nameOf));
  if (named.length) return named;
  const labelled = closest(withText(fields, wanted, (element) => labelOf(element, nameOf)));
  if (labelled.length) return labelled;
  const isNamed = ({ element }: Found) => !['', hintIn(element)].includes(nameOf(element));
  const nameless = fields.filter((one) => !isNamed(one) && isDrawn(one));
  return closest(withText(nameless, wanted, captionOf));
}

/** Return the label of a field that has another name by ARIA: what is chosen in the list of a button (Dash). */
function labelOf(element: Element, nameOf: NameReader): string {
  const label = nodes.attribute(element, 'aria-labelledby') ? (element as HTMLInputElement).labels?.[0] : undefined;
  return label ? nameOf(label) : '';
}

/** Return the text that a field shows as long as it is empty: often its form, as in YYYY-MM-DD. */
function hintIn(element: Element): string | null {
  return nodes.attribute(element, 'placeholder');
}

/** Return what a reader sees of it as text, never the text of a script or a style. */
function shownText(element: Element): string {
  if (isHtml(element, 'input')) {
    const { type, value } = element as HTMLInputElement;
    return /^(submit|reset|button)$/.test(type) ? value : '';
  }
  if (/^(script|style|noscript|template|head|html|body|title|option)$/.test(nodes.tag(element))) return '';
  const text = nodes.text(element) ?? '';
  return text.length > TEXT_CHARACTERS || nodes.within(element, 'script, style').length ? '' : text;
}

/** Drop what only holds another of those that were found. */
function innermost(found: Found[]): Found[] {
  const above = aboveEach(found);
  return found.filter(({ element }) => !above.has(element));
}

/** `wanted` is `button`, `button[name="Save"]` or `button[name=save]`. */
function byRole(place: Place, wanted: string): Found[] {
  const [, role = '', name] = /^([a-z]+)\s*(?:\[\s*name\s*=\s*(.*?)\s*\])?$/s.exec(wanted) ?? [];
  if (!role) refuse('selector', `role=${wanted}`, 'A role is written role=button or role=button[name="Save"].');
  const nameOf = nameReader();
  const having = [...everything(place)].filter(({ element }) => roleOf(element) === role);
  if (name === undefined) return having;
  const named = closest(withText(having, name, nameOf));
  const found = named.length || !HOLDERS.includes(role) ? named : withTextIn(having, place, name);
  const read = found.filter(({ element }) => isForReaders(element));
  return read.length ? read : found;
}

/** Choose of rows, items or cells those that hold a text. */
function withTextIn(rows: Found[], place: Place, text: string): Found[] {
  const texts = byText(place, text);
  const holding = new Set([...aboveEach(texts), ...texts.map(({ element }) => element)]);
  return innermost(rows.filter(({ element }) => holding.has(element)));
}

/** Offer selectors for what has a like name, or that name and another role. */
export function suggestions(trees: Tree[], selector: string): string[] {
  const last = partsOf(selector).at(-1) as string;
  const isRole =
    /^[a-z]{4,}$/.test(selector) && [...everything({ trees })].some(({ element }) => roleOf(element) === selector);
  if (isRole) return [`role=${selector}`]; // as the outline has it, of no such tag
  const wanted = /^\s*(?:text|label|placeholder)=(.*)$|^\s*role=.*\[\s*name\s*=\s*(.*?)\s*\]\s*$/s.exec(last);
  const words = wordsOf(oneLine(wanted?.[1] ?? wanted?.[2] ?? ''));
  if (!words.length) return [];
  const nameOf = nameReader();
  const offered = new Map<string, number>();
  for (const found of inOrder(search(trees, WORKED_WITH), trees[0] as Tree)) {
    const name = nameOf(found.element);
    const shared = words.filter((word) => wordsOf(name).includes(word)).length;
    const role = roleOf(found.element);
    if (shared * 2 >= words.length && shared && role && canBeSeen(found) && isForReaders(found.element))
      offered.set(`role=${role}[name="${clip(name, LISTED_NAME)}"]`, shared);
  }
  const best = [...offered].sort(([, one], [, other]) => other - one);
  return best.slice(0, OFFERED).map(([offer]) => offer);
}

function byRef(trees: Tree[], wanted: string): Found[] {
  const [, page, number] = /^([0-9a-f]{4})-(\d+)$/.exec(wanted) ?? [];
  const element = page === refPage ? refs.get(Number(number))?.deref() : undefined;
  const tree = element && treeAround(element, trees);
  if (element && tree) return [{ element, tree }];
  return fail('element_not_found', `ref=${clip(wanted, 50)} is not of this page, or its element is gone.`, {
    details: { selector: `ref=${clip(wanted, 50)}`, stale: true },
    recovery: /^\d+$/.test(wanted)
      ? `A ref begins with the mark of its page, as the \`ref\` of an outline has it: ref=${refPage}-${clip(wanted, 20)}.`
      : 'Look again with observe(what:"outline") or interact(action:"list_interactive").',
  });
}

/** Return the tree that an element is in, also where that is a closed shadow root, in which nothing is searched. */
function treeAround(element: Element, trees: Tree[]): Tree | undefined {
  const root = nodes.root(element);
  const known = trees.find((tree) => tree.root === root);
  const { host } = root as ShadowRoot;
  if (known || !host) return known;
  const outer = treeAround(host, trees);
  return outer && { root: root as ShadowRoot, opener: host, outer, elements: [], inner: new Map() };
}

/** Number an element, so that it can be named by `ref=`; it keeps its number as long as the page is there. */
export function refOf(element: Element): string {
  const known = refNumbers.get(element);
  const number = known ?? refs.size + 1;
  if (known === undefined) {
    refs.set(number, new WeakRef(element));
    refNumbers.set(element, number);
  }
  return `${refPage}-${number}`;
}

/** Whether the element is a field that a label can belong to. */
function takesLabel(element: Element): boolean {
  return nodes.matches(element, LABELLED);
}
