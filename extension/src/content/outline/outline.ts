// Answers `get_outline`: the page as a person perceives it, in at most so many bytes; it must only ever read the page.

import { windowPlace } from '../../shared/window_place.ts';
import { nameReader } from '../dom/accessible_name.ts';
import { notFound } from '../dom/choose_element.ts';
import { openDialog } from '../dom/covers.ts';
import { locate } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { canBeSeen, contains, type Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import { refPattern } from '../read/control_line.ts';
import { hintOfList } from '../read/empty_answers.ts';
import { pageName } from '../read/query_dom.ts';
import { Changes, changesSince, remember } from './changes_since.ts';
import { type Chosen, chooseLines, lengthen, type Wish } from './choose_lines.ts';
import { bytesOf, LineWriter } from './lines.ts';
import type { Group } from './outline_parts.ts';
import { type Printed, print } from './print.ts';
import { Walk } from './walk.ts';

/** What a reply has beside its lines, in bytes: addresses and titles are counted. */
const REST_BYTES = 220;
const GONE_SHARE = 4;

/** The most elements that are looked at, for each 4 KB of the budget. */
const LOOKED_AT = 4_000;

/** How many of a selector's matches are outlined. */
const MATCHES = 200;

export interface Outlined {
  url: string;
  title: string;
  ref: string;
  lines: string[];
  left_out?: number;
  /** A dialog is open: what is behind it is left out. */
  dialog?: true;
  since?: number;
  gone?: string[];
  whole?: string;
  hint?: string;
  /** Of another origin: their own outlines go behind a line, so deep. */
  frames?: { place: number[]; src: string; line: number; depth: number }[];
  /** The bytes that are left for them. */
  left?: number;
}

export function outline(query: Query): Outlined {
  const { selector, budget, since_seq: since = 0, seq = 0, inner = false } = query;
  const changes = since ? changesSince(since, selector) : null;
  const known = changes instanceof Changes ? changes : null;
  const begun = roots(selector);
  const seen = { shown: new WeakMap<Element, boolean>(), roots: new Set<Node>() };
  const nameOf = nameReader();
  const walk = new Walk(nameOf, seen);
  const writer = new LineWriter(nameOf);
  const group = walk.begin(begun.holder, begun.tree, begun.elements);
  const name = pageName();
  const rest = inner ? 0 : REST_BYTES + bytesOf(name.url) + bytesOf(name.title);
  const room = Math.max(0, budget - rest);
  const chosen = chooseLines(group, walk, writer, wishOf(known, budget, room));
  const gone = known ? within(known.gone(chosen), room / GONE_SHARE) : [];
  const { printed, left } = fitted(
    group,
    chosen,
    writer,
    room - gone.reduce(sizeIn, 0),
    known !== null,
    selector !== undefined,
  );
  remember(chosen, seen, { seq, selector, changes: known, gone });
  const frames = printed.frames.map(({ element, ...place }) => ({
    ...placeOf(element as HTMLIFrameElement),
    ...place,
  }));
  return {
    ...name,
    ref: refPattern(begun.holder),
    lines: printed.lines,
    ...(printed.leftOut && { left_out: printed.leftOut }),
    ...(begun.isDialog && { dialog: true }),
    ...(known && { since: known.since, gone }),
    ...(typeof changes === 'string' && { whole: changes }),
    ...(!known && hintOf(printed, selector, begun.elements)),
    ...(frames.length && { frames, left }),
  };
}

/** What the outline is of. */
function roots(selector: string | undefined): { holder: Element; tree: Tree; elements: Element[]; isDialog: boolean } {
  if (selector === undefined) return wholePage();
  const trees = treesOf(document);
  const found = locate(trees, selector);
  const shown = found.length > 1 ? outermost(found, canBeSeen) : found;
  const outer = shown.length ? shown : outermost(found, () => true);
  const [first] = outer;
  if (!first) return notFound(selector, 0, null);
  const { element, tree } = first;
  const same = outer.filter((one) => one.tree.root === tree.root).map((one) => one.element);
  return { holder: element, tree, elements: same, isDialog: false };
}

/** Choose the first of those that fit, none within another. */
function outermost(found: Found[], fits: (one: Found) => boolean): Found[] {
  const outer: Found[] = [];
  for (const one of found) {
    if (outer.length === MATCHES) break;
    if (!outer.some(({ element }) => contains(element, one.element)) && fits(one)) outer.push(one);
  }
  return outer;
}

function wholePage() {
  const tree: Tree = { root: document, opener: null, outer: null, elements: [], inner: new Map() };
  const root = nodes.rootElement(document);
  const dialog = openDialog(document);
  const isDialog = dialog !== null;
  const holder = dialog ?? root ?? nodes.create(document, 'http://www.w3.org/1999/xhtml', 'html');
  return { holder, tree, elements: dialog ? [dialog] : root ? [root] : [], isDialog };
}

function wishOf(changes: Changes | null, budget: number, room: number): Wish {
  return {
    budget: room,
    most: Math.max(1, Math.ceil(budget / 4_096)) * LOOKED_AT,
    enters: (group) => changes?.enters(group) ?? true,
    keeps: (line, text) => changes?.keeps(line, text) ?? true,
    favour: (part) => changes?.favour(part) ?? 0,
  };
}

/** Print what was chosen, without the least relevant lines if marks leave them no room. */
function fitted(
  group: Group,
  chosen: Chosen,
  writer: LineWriter,
  room: number,
  isPartial: boolean,
  isPart: boolean,
): { printed: Printed; left: number } {
  for (;;) {
    const printed = print(group, isPartial);
    const left = room - printed.lines.reduce(sizeIn, 0);
    if (left >= 0 || !chosen.lines.length) {
      if (!isPartial && left > 0 && !printed.frames.length && isPart && lengthen(chosen.lines, writer, left) < left)
        return { printed: print(group, isPartial), left: 0 };
      return { printed, left };
    }
    const dropped = Math.ceil(-left / 80);
    for (const line of chosen.lines.splice(-dropped)) delete line.text;
  }
}

function sizeIn(sum: number, line: string): number {
  return sum + bytesOf(line);
}

function within(lines: string[], room: number): string[] {
  let left = room;
  return lines.filter((line) => (left -= bytesOf(line)) >= 0);
}

function placeOf(frame: HTMLIFrameElement): { place: number[]; src: string } {
  const shown = nodes.frameWindow(frame);
  return { place: shown ? windowPlace(shown).place : [], src: frame.src };
}

/** Why there are no lines. */
function hintOf({ lines }: Printed, selector: string | undefined, elements: Element[]): { hint?: string } {
  if (lines.length) return {};
  const isShown = elements.some((element) => nodes.isRendered(element));
  if (selector !== undefined) return { hint: isShown ? 'It shows nothing that can be read.' : 'It is not shown.' };
  const { hint } = hintOfList(0);
  return { hint: hint?.replace('that can be worked with', 'that can be read') ?? '' };
}
