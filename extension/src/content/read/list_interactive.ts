// Answers `list_interactive`: what people can work with on the page now, each once; it must only ever read the page.
//
// The order: an open dialog, then the page, then its navigation. What a modal dialog covers is counted, not listed.

import { accessibleName, nameReader } from '../dom/accessible_name.ts';
import { captionOf, controlOf } from '../dom/captions.ts';
import { elementToRead } from '../dom/choose_element.ts';
import { coverOver, dialogsInFront } from '../dom/covers.ts';
import { canBeActedOn, drawnPart } from '../dom/drawn_parts.ts';
import { isSensitive } from '../dom/fields.ts';
import { refOf } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { isPointed, withPointed } from '../dom/pointed.ts';
import { roleOf } from '../dom/roles.ts';
import { inOrder, search, type Tree, treesOf } from '../dom/search.ts';
import { inRowOrder } from '../dom/stated_order.ts';
import { clip, LISTED_NAME, oneLine } from '../dom/text.ts';
import { around, contains, type Found, isForReaders, isMovedAside } from '../dom/visibility.ts';
import { isWidget, ROWS, WORKED_WITH } from '../dom/widgets.ts';
import type { Query } from '../frame.ts';
import { authorName } from './author_names.ts';
import { shownValue, statesOf } from './control_state.ts';
import { hintOfList } from './empty_answers.ts';
import { isInNavigation } from './site_navigation.ts';

/** The most elements that are listed. */
const LISTED = 500;

/** The longest text that tells one of several apart. */
const WHERE_CHARACTERS = 60;

const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role="heading"]';

/** Roles whose items have items of their own. */
const NESTED = new Set(['treeitem', 'menuitem', 'option', 'listbox']);

/** Roles that hold what people work with more often than they are worked with. */
const HOLDERS = new Set(['', 'application', 'cell', 'columnheader', 'grid', 'gridcell', 'img', 'listitem', 'row']);

/** Roles of what may have a part that does something else: the sign that opens or closes it. */
const PARTED = new Set([...NESTED, ...HOLDERS, 'tab']);

/** The largest that is listed without a name because of the pointer alone: a larger one is a backdrop, px. */
const NAMELESS_PX = 100;

/** Roles that have a caption beside them. */
const FIELDS = new Set('checkbox combobox listbox radio searchbox slider spinbutton switch textbox'.split(' '));

/** An element that is to be listed; `part`: the one in it that takes its clicks. */
type Listed = Found & { role: string; name: string; heading: string; before: string; pointed: boolean; part?: Element };

/** A way to tell elements of the same role and name apart. */
type Trait = (one: Listed) => string;

export function listInteractive({ selector }: Query): object {
  const trees = treesOf(document);
  const within = selector === undefined ? undefined : elementToRead({ selector }).element;
  const found = candidates(trees, within);
  const front = within ? [] : dialogsInFront(trees);
  const covered = new Set(front.length ? found.filter((one) => isBehind(one, front)) : []);
  const shown = inFrontFirst(inRowOrder(once(found.filter((one) => !covered.has(one)))), front);
  const places = tellApart(shown);
  const elements = shown.slice(0, LISTED).map((one) => described(one, places.get(one)));
  return {
    elements,
    ...(shown.length > LISTED && { omitted_count: shown.length - LISTED }),
    ...(covered.size ? { covered_count: covered.size } : hintOfList(elements.length)),
  };
}

/** Find what can be worked with, in order, each with the heading before it. */
function candidates(trees: Tree[], within: Element | undefined): Listed[] {
  const nameOf = nameReader();
  const listed: Listed[] = [];
  let heading = '';
  for (const found of inOrder(withPointed(search(trees, `${WORKED_WITH}, ${HEADINGS}`)), trees[0] as Tree)) {
    const { element } = found;
    if (nodes.matches(element, HEADINGS) && nodes.isRendered(element)) heading = nameOf(element);
    const pointed = !nodes.matches(element, WORKED_WITH);
    if ((pointed && !isPointed(element)) || (within && !contains(within, element))) continue;
    const role = roleOf(element);
    if ((role && !pointed && !isWidget(role)) || !isForReaders(element) || !canBeActedOn(found)) continue;
    if (isMovedAside(drawnPart(found).element)) continue;
    const before = listed.at(-1)?.name ?? '';
    const name = clip(nameOf(element), LISTED_NAME);
    if (!pointed || name || isSmall(element)) listed.push({ ...found, role, name, heading, before, pointed });
  }
  return listed;
}

function isSmall(element: Element): boolean {
  const { width, height } = nodes.box(element);
  return width <= NAMELESS_PX && height <= NAMELESS_PX;
}

/** Drop what only holds others, and one of each pair of a component and its part. */
function once(found: Listed[]): Listed[] {
  const byElement = new Map(found.map((one) => [one.element, one]));
  const dropped = new Set<Listed>();
  for (const inner of found) {
    if (byElement.has(controlOf(inner.element) as Element) || isDrawnFor(inner, byElement)) dropped.add(inner);
    for (let at = above(inner); at; at = around(at) ?? null) {
      const outer = byElement.get(at);
      if (!outer || dropped.has(outer)) continue;
      if (onlyHolds(outer, inner) || isListOf(outer, inner)) dropped.add(outer);
      else if (isTitleOf(inner, outer) && !dropped.has(inner)) {
        outer.part ??= inner.element;
        dropped.add(inner);
      } else if (isSame(outer, inner)) dropped.add(inner);
    }
  }
  return found.filter((one) => !dropped.has(one));
}

/** Whether it is only what is drawn for a field: a part of its label, or a sign beside it. */
function isDrawnFor({ element, name, pointed }: Listed, byElement: Map<Element, Listed>): boolean {
  if (!pointed) return false;
  const label = nodes.closest(element, 'label');
  if (label && byElement.has(controlOf(label) as Element)) return true;
  const isFieldBeside = (one: Node) => FIELDS.has(byElement.get(one as Element)?.role ?? '');
  return !name && [...nodes.childNodes(around(element) ?? element)].some(isFieldBeside);
}

/**
 * Whether one is there for the other: a row or a card is clicked itself only where the pointer shows that and it has
 * more to show.
 */
function onlyHolds(outer: Listed, inner: Listed): boolean {
  if (isWidget(outer.role) && !HOLDERS.has(outer.role)) return false;
  if (isNamedBy(outer, inner)) return true;
  if (!isPointed(outer.element) || !outer.name || outer.name === inner.name) return true;
  return outer.role === '' && FIELDS.has(inner.role); // the box of a field
}

/** Whether one is the head of a column, and the other a button in it that names the head too. */
function isNamedBy(outer: Listed, inner: Listed): boolean {
  if (outer.role !== 'columnheader' || inner.role !== 'button' || !inner.name) return false;
  const rest = outer.name.replace(inner.name, '').trim();
  return rest !== '' && inner.name.includes(rest);
}

/** Whether one is what an entry shows its name in, and the only place where the pointer shows the entry to be clickable. */
function isTitleOf(inner: Listed, outer: Listed): boolean {
  if (!NESTED.has(outer.role) || !inner.pointed || !inner.name) return false;
  return outer.name.endsWith(inner.name) && !isPointed(outer.element);
}

/** Whether one is a list, and the other an entry of it. */
function isListOf(outer: Listed, inner: Listed): boolean {
  return outer.role === 'listbox' && inner.role === 'option';
}

function above({ element }: Found): Element | null {
  return around(element);
}

/** Whether what is in an element is the element once more. */
function isSame(outer: Listed, inner: Listed): boolean {
  if (inner.pointed && (outer.name === inner.name || !PARTED.has(outer.role))) return true;
  if (NESTED.has(outer.role)) return outer.role === 'option' && inner.role === 'option'; // a link around an item of a list
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
  const read: Map<Listed, string>[] = [];
  for (const trait of traits) {
    const texts = new Map(group.map((one) => [one, clip(oneLine(trait(one)), WHERE_CHARACTERS)]));
    const kinds = new Set(texts.values());
    if (kinds.size === group.length && !kinds.has('')) return (one) => texts.get(one) ?? '';
    read.push(texts);
  }
  const first = (one: Listed) => read.map((texts) => texts.get(one)).find(Boolean) ?? '';
  const alike = Map.groupBy(group, first);
  return (one) => {
    const [text, same] = [first(one), alike.get(first(one)) ?? []];
    return same.length > 1 ? `${text} (${same.indexOf(one) + 1} of ${same.length})`.trim() : text;
  };
}

const TRAITS_OF_NAMED: Trait[] = [rowOf, besideOf, headingOf, targetOf, beforeOf, (one) => authorName(one.element)];
const TRAITS_OF_NAMELESS: Trait[] = [columnOf, besideOf, idInRow, targetOf, beforeOf, headingOf];

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

/** Return the label that stands by a field. */
function besideOf({ element, role }: Listed): string {
  return FIELDS.has(role) ? captionOf(element) : '';
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

function idInRow(one: Listed): string {
  return `${rowOf(one)} ${authorName(one.element)}`;
}

/** Describe one in few bytes: what is as usual is left out. */
function described(one: Listed, where: string | undefined): object {
  const { element, role, name } = one;
  const value = clip(shownValue(one), LISTED_NAME);
  const states = statesOf(element);
  return {
    ref: refOf(one.part ?? element),
    role: role || nodes.tag(element),
    ...(name && { name }),
    ...(where && { where }),
    ...(value && !isSensitive(element) && { value }),
    ...states,
  };
}
