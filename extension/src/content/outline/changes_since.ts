// Remembers what outlines have stated of a page, and notes which nodes it has changed since; it must keep no node alive.

import { nodes } from '../dom/nodes.ts';
import { around } from '../dom/visibility.ts';
import type { Chosen } from './choose_lines.ts';
import type { Group, Line, Part } from './outline_parts.ts';

/** So long after the last outline the page is no longer watched. */
const WATCHED_MS = 600_000;

/** The most nodes that are noted, and the outlines that are remembered. */
const NOTED = 20_000;
const REMEMBERED = 8;

/** How much more relevant what has changed is. */
const CHANGED_RANK = 40;

/** What one outline has stated. */
interface Past {
  /** The journal's position when it was asked for. */
  seq: number;
  at: number;
  selector: string | undefined;
  /** The outline that this one only adds to. */
  before: Past | null;
  holders: { holder: WeakRef<Element>; texts: string[] }[];
  texts: WeakMap<Element, Set<string>>;
  /** What it has stated as gone. */
  gone: Set<string>;
  entered: WeakSet<Element>;
  /** Whether an element that was looked at was shown. */
  shown: WeakMap<Element, boolean>;
}

const pasts: Past[] = [];
let touched = new WeakMap<Node, { at: number; isNew: boolean }>();
let noted: WeakRef<Node>[] = [];
let isTooMuch = false;
let watched = new WeakSet<Node>();
let observer: MutationObserver | undefined;
let ending: ReturnType<typeof setTimeout> | undefined;

/** What has changed since an outline. */
export class Changes {
  readonly #past: Past;
  readonly #leading = new Set<Element>();
  readonly #fresh = new WeakMap<Group, boolean>();

  constructor(past: Past) {
    this.#past = past;
    for (const node of noted) {
      const there = node.deref();
      if (!there || (touched.get(there)?.at ?? 0) <= past.at || !nodes.isConnected(there)) continue;
      let up = nodes.type(there) === 1 ? (there as Element) : elementAround(there);
      for (; up && !this.#leading.has(up); up = drawnAround(up)) this.#leading.add(up);
    }
  }

  get since(): number {
    return this.#past.seq;
  }

  enters(group: Group): boolean {
    const { element } = group;
    return !group.up || this.#leading.has(element) || has(this.#past, 'entered', element) || this.#isFresh(group);
  }

  keeps(line: Line, text: string): boolean {
    const stated = statesOf(this.#past, line.holder);
    if (stated.has(text)) return false;
    if (stated.size) return true; // it was stated with another text
    const controls = line.pieces.flatMap((piece) => (piece.is === 'control' ? [piece.element] : []));
    if (controls.some((one) => statesOf(this.#past, one).size)) return true;
    if (line.up && this.#isFresh(line.up)) return true;
    return [line.holder, ...controls].some((one) => this.#touchedAt(one) !== null || wasHidden(this.#past, one));
  }

  favour(part: Part): number {
    const element = part.is === 'line' ? part.holder : part.element;
    return this.#leading.has(element) || this.#touchedAt(element) ? CHANGED_RANK : 0;
  }

  /** List what was stated and is no longer there. */
  gone({ read, entered }: Chosen): string[] {
    const now = textsBy(read);
    const looked = new Set(entered.map(({ element }) => element));
    const gone = new Set<string>();
    const still = new Set([...now.values()].flatMap((texts) => [...texts]));
    const known = new Set<Element>();
    for (let past: Past | null = this.#past; past; past = past.before) {
      for (const text of past.gone) still.add(text); // stated before
      for (const { holder, texts } of past.holders) {
        const there = holder.deref();
        if (there && known.has(there)) continue;
        if (there) known.add(there);
        const isGone = !there || !nodes.isConnected(there) || !nodes.isRendered(there);
        if (!isGone && !looked.has(there) && !now.has(there)) continue;
        for (const text of texts) if (!still.has(text)) gone.add(text);
      }
    }
    return [...gone];
  }

  get past(): Past {
    return this.#past;
  }

  /** Whether it was not there, or not shown, when the last outline was made. */
  #isFresh(group: Group): boolean {
    const known = this.#fresh.get(group);
    if (known !== undefined) return known;
    const is =
      this.#touchedAt(group.element)?.isNew === true ||
      wasHidden(this.#past, group.element) ||
      (group.up !== null && this.#isFresh(group.up));
    this.#fresh.set(group, is);
    return is;
  }

  #touchedAt(element: Element) {
    const last = touched.get(element);
    return last && last.at > this.#past.at ? last : null;
  }
}

/** Return what has changed since the last outline at or before a position in the journal; else why that is unknown. */
export function changesSince(seq: number, selector: string | undefined): Changes | string {
  note(observer?.takeRecords() ?? []);
  if (isTooMuch) return 'too much has changed';
  const past = pasts.findLast((one) => one.seq <= seq && one.selector === selector);
  if (past) return new Changes(past);
  return pasts.length ? 'no outline of this is that old' : 'this page has had no outline';
}

/** Remember an outline. `changes`: it has only these. */
export function remember(
  { read, entered }: Chosen,
  seen: { shown: WeakMap<Element, boolean>; roots: Iterable<Node> },
  asked: { seq: number; selector: string | undefined; changes: Changes | null; gone: string[] },
) {
  if (isTooMuch) end();
  const texts = textsBy(read);
  const before = asked.changes?.past ?? null;
  pasts.push({
    seq: asked.seq,
    at: performance.now(),
    selector: asked.selector,
    before: before && depthOf(before) < REMEMBERED ? before : null,
    holders: [...texts].map(([holder, all]) => ({ holder: new WeakRef(holder), texts: [...all] })),
    texts: new WeakMap(texts),
    gone: new Set(asked.gone),
    entered: new WeakSet(entered.map(({ element }) => element)),
    shown: seen.shown,
  });
  if (pasts.length > REMEMBERED) pasts.shift();
  watch(seen.roots);
}

function depthOf(past: Past): number {
  let depth = 0;
  for (let at: Past | null = past; at; at = at.before) depth++;
  return depth;
}

/** The texts of each line by its element, and by each control in it. */
function textsBy(read: Chosen['read']): Map<Element, Set<string>> {
  const texts = new Map<Element, Set<string>>();
  const add = (element: Element, text: string) => texts.set(element, (texts.get(element) ?? new Set()).add(text));
  for (const { line, text } of read) {
    const controls = line.pieces.flatMap((piece) => (piece.is === 'control' ? [piece.element] : []));
    for (const element of controls.length ? controls : [line.holder]) add(element, text);
    if (controls.length) add(line.holder, text);
  }
  return texts;
}

function statesOf(past: Past, element: Element): Set<string> {
  for (let at: Past | null = past; at; at = at.before) {
    const texts = at.texts.get(element);
    if (texts) return texts;
  }
  return new Set();
}

function has(past: Past, name: 'entered', element: Element): boolean {
  for (let at: Past | null = past; at; at = at.before) if (at[name].has(element)) return true;
  return false;
}

function wasHidden(past: Past, element: Element): boolean {
  for (let at: Past | null = past; at; at = at.before) {
    const shown = at.shown.get(element);
    if (shown !== undefined) return !shown;
  }
  return false;
}

function drawnAround(element: Element): Element | null {
  return around(element) ?? element.ownerDocument.defaultView?.frameElement ?? null;
}

function elementAround(node: Node): Element | null {
  const parent = nodes.parent(node);
  if (!parent) return null;
  return nodes.type(parent) === 1 ? (parent as Element) : ((parent as ShadowRoot).host ?? null);
}

function watch(roots: Iterable<Node>) {
  clearTimeout(ending);
  ending = setTimeout(end, WATCHED_MS);
  observer ??= new MutationObserver(note);
  for (const root of roots) {
    if (watched.has(root)) continue;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
}

function note(records: MutationRecord[]) {
  const at = performance.now();
  const touch = (node: Node | null, isNew: boolean) => {
    if (!node) return;
    const last = touched.get(node);
    touched.set(node, { at, isNew: isNew || last?.isNew === true });
    if (!last) noted.push(new WeakRef(node));
  };
  for (const { type, target, addedNodes } of records) {
    touch(type === 'characterData' ? elementAround(target) : target, false);
    for (const added of addedNodes) if (nodes.type(added) === 1) touch(added, true);
  }
  isTooMuch ||= noted.length > NOTED;
  if (isTooMuch) observer?.disconnect();
}

function end() {
  observer?.disconnect();
  observer = undefined;
  pasts.length = 0;
  noted = [];
  isTooMuch = false;
  touched = new WeakMap();
  watched = new WeakSet();
}
