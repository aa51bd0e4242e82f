// Answers `list_interactive`: what people can work with on the page now, each once; it must only ever read the page.
//
// The order: an open dialog, then the page, then its navigation. What a modal dialog covers is counted, not listed.

import { accessibleName, nameReader } from '../dom/accessible_name.ts';
import { canBeActedOn, elementToRead } from '../dom/choose_element.ts';
import { coverOver, dialogsInFront } from '../dom/covers.ts';
import { isHeld, isSensitive, valueOf } from '../dom/fields.ts';
import { refOf } from '../dom/locate.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { inOrder, search, type Tree, treesOf } from '../dom/search.ts';
import { clip, oneLine } from '../dom/text.ts';
import { around, contains, type Found, isForReaders } from '../dom/visibility.ts';
import { isWidget, WORKED_WITH } from '../dom/widgets.ts';
import type { Query } from '../frame.ts';

/** The most elements that are listed. */
const LISTED = 500;

const NAME_CHARACTERS = 80;

/** The longest text that tells one of several apart. */
const WHERE_CHARACTERS = 60;

const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role="heading"]';
const ROWS = 'tr, [role="row"], li, [role="listitem"], article';

/** What most views of a site have in common. */
const NAVIGATION = 'nav, [role="navigation"], [role="contentinfo"], body > footer';

/** Roles whose items have items of their own. */
const NESTED = new Set(['treeitem', 'menuitem', 'option', 'listbox']);

/** An element that is to be listed. */
type Listed = Found & { role: string; name: string; heading: string; before: string };

/** How far above a field its caption may be. */
const CAPTION_LEVELS = 5;

/** A way to tell elements of the same role and name apart. */
type Trait = (one: Listed) => string;

export function listInteractive({ selector }: Query): object {
  const trees = treesOf(document);
  const within = selector === undefined ? undefined : elementToRead({ selector }).element;
  const found = candidates(trees, within);
  const front = within ? [] : dialogsInFront(trees);
  const covered = new Set(front.length ? found.filter((one) => isBehind(one, front)) : []);
  const shown = inFrontFirst(once(found.filter((one) => !covered.has(one))), front);
  const places = tellApart(shown);
  const elements = shown.slice(0, LISTED).map((one) => described(one, places.get(one)));
  return {
    elements,
    ...(shown.length > LISTED && { omitted_count: shown.length - LISTED }),
    ...(covered.size && { covered_count: covered.size }),
  };
}

/** Find what can be worked with, in order, each with the heading before it. */
function candidates(trees: Tree[], within: Element | undefined): Listed[] {
  const nameOf = nameReader();
  const listed: Listed[] = [];
  let heading = '';
  for (const found of inOrder(search(trees, `${WORKED_WITH}, ${HEADINGS}`), trees[0] as Tree)) {
    const { element } = found;
    if (nodes.matches(element, HEADINGS) && nodes.isRendered(element)) heading = nameOf(element);
    if (!nodes.matches(element, WORKED_WITH) || (within && !contains(within, element))) continue;
    const role = roleOf(element);
    if ((role && !isWidget(role)) || !isForReaders(element) || !canBeActedOn(found)) continue;
    const before = listed.at(-1)?.name ?? '';
    listed.push({ ...found, role, name: clip(nameOf(element), NAME_CHARACTERS), heading, before });
  }
  return listed;
}

/** Drop what only holds others, and one of each pair of a component and its part. */
function once(found: Listed[]): Listed[] {
  const byElement = new Map(found.map((one) => [one.element, one]));
  const dropped = new Set<Listed>();
  for (const inner of found) {
    if (byElement.has(controlOf(inner.element) as Element)) dropped.add(inner);
    for (let at = above(inner); at; at = around(at) ?? null) {
      const outer = byElement.get(at);
      if (!outer || dropped.has(outer)) continue;
      if (!outer.role || isListOf(outer, inner)) dropped.add(outer);
      else if (isSame(outer, inner)) dropped.add(inner);
    }
  }
  return found.filter((one) => !dropped.has(one));
}

/** Whether one is a list, and the other an entry of it. */
function isListOf(outer: Listed, inner: Listed): boolean {
  return outer.role === 'listbox' && inner.role === 'option';
}

/** Return the field of a label. */
function controlOf(element: Element): Element | null {
  return isHtml(element, 'label') ? (element as HTMLLabelElement).control : null;
}

function above({ element }: Found): Element | null {
  return around(element);
}

/** Whether what is in an element is the element once more. */
function isSame(outer: Listed, inner: Listed): boolean {
  if (NESTED.has(outer.role)) return false;
  return outer.role === inner.role || (outer.name !== '' && outer.name === inner.name);
}

/** Whether a dialog is over it. */
function isBehind(one: Listed, dialogs: Element[]): boolean {
  if (dialogs.some((dialog) => contains(dialog, one.element))) return false;
  return coverOver(one) !== null || !isInView(one);
}

function isInView({ element }: Found): boolean {
  const { left, top, right, bottom } = nodes.box(element);
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

/** Put what a dialog holds first, and the navigation of the site last. */
function inFrontFirst(found: Listed[], dialogs: Element[]): Listed[] {
  const place = ({ element }: Listed) => {
    if (dialogs.some((dialog) => contains(dialog, element))) return 0;
    return isInNavigation(element) ? 2 : 1;
  };
  const places = new Map(found.map((one) => [one, place(one)]));
  return found.toSorted((one, other) => (places.get(one) as number) - (places.get(other) as number));
}

function isInNavigation(element: Element): boolean {
  for (let at: Element | null = element; at; at = around(at)) if (nodes.matches(at, NAVIGATION)) return true;
  return false;
}

/** Find what tells apart those without a name, and those with the same role and name. */
function tellApart(found: Listed[]): Map<Listed, string> {
  const groups = Map.groupBy(found, ({ role, name }) => `${role} ${name}`);
  const places = new Map<Listed, string>();
  for (const group of groups.values()) {
    if (group.length === 1 && group[0]?.name) continue;
    const known = traitsOf(group);
    for (const one of group) if (known(one)) places.set(one, known(one));
  }
  return places;
}

/** Return the first trait that tells all of a group apart, else as much as there is, with a number. */
function traitsOf(group: Listed[]): Trait {
  const traits = group[0]?.name ? TRAITS_OF_NAMED : TRAITS_OF_NAMELESS;
  const read = traits.map((trait) => new Map(group.map((one) => [one, clip(oneLine(trait(one)), WHERE_CHARACTERS)])));
  const telling = read.find(
    (texts) => new Set(texts.values()).size === group.length && ![...texts.values()].includes(''),
  );
  if (telling) return (one) => telling.get(one) ?? '';
  const first = (one: Listed) => read.map((texts) => texts.get(one)).find(Boolean) ?? '';
  const alike = Map.groupBy(group, first);
  return (one) => {
    const [text, same] = [first(one), alike.get(first(one)) ?? []];
    return same.length > 1 ? `${text} (${same.indexOf(one) + 1} of ${same.length})`.trim() : text;
  };
}

const TRAITS_OF_NAMED: Trait[] = [rowOf, headingOf, targetOf, beforeOf, idOf];
const TRAITS_OF_NAMELESS: Trait[] = [columnOf, captionOf, idInRow, targetOf, beforeOf, headingOf];

/** Return the text of the first cell of its row, or how the entry of a list begins. */
function rowOf({ element, name }: Listed): string {
  const row = nodes.closest(element, ROWS);
  const cells = row ? nodes.within(row, 'th, td, [role="rowheader"], [role="cell"], [role="gridcell"]') : [];
  const parts = cells.length ? [...cells].slice(0, 3) : row ? [row] : [];
  const texts = parts.map((part) => oneLine((part as HTMLElement).innerText ?? ''));
  return texts.find((text) => text && text !== name) ?? '';
}

/** Return the head of its column. */
function columnOf({ element }: Listed): string {
  const cell = nodes.closest(element, 'td') as HTMLTableCellElement | null;
  const table = cell && (nodes.closest(cell, 'table') as HTMLTableElement | null);
  const head = table?.tHead?.rows[0]?.cells[cell?.cellIndex ?? -1];
  return head ? accessibleName(head) : '';
}

/** Return the text of a label that stands by a field and does not belong to it by its markup. */
function captionOf({ element }: Listed): string {
  let at = nodes.parent(element);
  for (let up = 0; at && nodes.type(at) === 1 && up < CAPTION_LEVELS; up++, at = nodes.parent(at)) {
    const captions = [...nodes.within(at as Element, 'label, legend')].filter(
      (one) => nodes.isRendered(one) && controlOf(one) === null,
    );
    if (captions.length) return captions.length === 1 ? accessibleName(captions[0] as Element) : '';
  }
  return '';
}

function headingOf({ heading }: Listed): string {
  return heading;
}

function targetOf({ element }: Listed): string {
  const href = nodes.attribute(element, 'href') ?? '';
  return href === '#' || href.startsWith('javascript:') ? '' : href || (nodes.attribute(element, 'placeholder') ?? '');
}

/** Return the name of what is listed before it. */
function beforeOf({ before }: Listed): string {
  return before ? `after ${before}` : '';
}

/** Return what its author calls it, or the sign that it shows. */
function idOf({ element }: Listed): string {
  const sign = nodes.within(element, 'i, svg, img')[0];
  const written = [element, sign].flatMap((one) =>
    one ? ['id', 'name', 'data-testid', 'class'].map((name) => nodes.attribute(one, name) ?? '') : [],
  );
  return written.flatMap((text) => text.split(/\s+/)).find(isLegible) ?? '';
}

function idInRow(one: Listed): string {
  return `${rowOf(one)} ${idOf(one)}`;
}

/** Whether a name is an author's, and was not generated. */
function isLegible(text: string): boolean {
  return /^_?[a-z][a-z_-]{2,}\d{0,2}$/i.test(text) && !/[A-Z]{2}|[a-z][A-Z][a-z]?[A-Z]/.test(text);
}

/** Describe one in few bytes: what is as usual is left out. */
function described({ element, role, name }: Listed, where: string | undefined): object {
  const value = holdsValue(element) && !isSensitive(element) ? clip(valueOf(element), NAME_CHARACTERS) : '';
  const states = statesOf(element);
  return {
    ref: refOf(element),
    role: role || nodes.tag(element),
    ...(name && { name }),
    ...(where && { where }),
    ...(value && { value }),
    ...states,
  };
}

function holdsValue(element: Element): boolean {
  if (isHtml(element, 'input'))
    return !/^(button|submit|reset|image|checkbox|radio|file)$/.test((element as HTMLInputElement).type);
  return isHeld(element) || nodes.matches(element, '[contenteditable=""], [contenteditable="true"]');
}

function statesOf(element: Element): object {
  const checked = checkedState(element);
  const expanded = expandedState(element);
  const is = (css: string) => nodes.matches(element, css);
  return {
    ...(checked !== null && { checked }),
    ...(expanded !== null && { expanded }),
    ...(is(':required, [aria-required="true"]') && { required: true }),
    ...(is(':user-invalid, [aria-invalid="true"]') && { invalid: true }),
    ...((is(':disabled') || nodes.closest(element, '[aria-disabled="true"]')) && { disabled: true }),
  };
}

/** Return whether it is ticked, pressed or chosen; null for what cannot be. */
function checkedState(element: Element): boolean | null {
  if (isHtml(element, 'input')) {
    const { type, checked } = element as HTMLInputElement;
    if (type === 'checkbox' || type === 'radio') return checked;
  }
  const written = ['aria-checked', 'aria-pressed', 'aria-selected'].map((name) => nodes.attribute(element, name));
  const state = written.find((value) => value === 'true' || value === 'false');
  return state ? state === 'true' : null;
}

function expandedState(element: Element): boolean | null {
  const parent = nodes.parent(element);
  if (isHtml(element, 'summary') && parent) return nodes.attribute(parent as Element, 'open') !== null;
  const written = nodes.attribute(element, 'aria-expanded');
  return written === 'true' || written === 'false' ? written === 'true' : null;
}
