// Finds the field that opens the list of a component, and presses it where nothing else is; it must choose nothing.

import { accessibleName } from '../dom/accessible_name.ts';
import { drawnPart } from '../dom/drawn_parts.ts';
import { isHtml, matchesIn, nodes } from '../dom/nodes.ts';
import { treeOf } from '../dom/search.ts';
import { around, contains, type Found, middleInSight, outlineOf } from '../dom/visibility.ts';
import type { Fault, Query } from '../frame.ts';
import { drawnAt } from './actionability.ts';
import { click } from './click.ts';
import { isText } from './field_kinds.ts';
import { isHidden, View } from './list_options.ts';

export const COMBOBOX = '[role="combobox"]';
export const HAS_LIST = '[aria-haspopup="listbox"]';

/** A combobox that opens no calendar. */
const OF_OPTIONS = `${COMBOBOX}:is(:not([aria-haspopup]), ${HAS_LIST}, [aria-haspopup="true"])`;

const OPENERS = `${COMBOBOX}, ${HAS_LIST}, [aria-haspopup="dialog"], [role="listbox"]`;
const SEARCH = '[role="search"], [role="searchbox"], [enterkeyhint="search"], form[action*="search" i]';

/** What a field of type "search" is called that searches: Quasar's lists are filtered by such a field, too. */
const SEARCHES = /search|query|find|such|busc|pesquis|recherch|cerca|zoek/i;
const BUTTONS = 'button, [role="button"], a[href], [tabindex]';

/** How far around a field what lies over it is a part of it, and its choice is shown. */
const COMPONENT_LEVELS = 4;

/** How far from its ends a field is pressed where its middle is taken. */
const END_PX = 12;

/** The field of a list; `native`: the select field that is out of sight and that it stands for. */
export type ListField = Found & { native?: HTMLSelectElement };

/** Return the field that opens a list of a component, which an element is, is in, holds alone, or is drawn in its place. */
export function listField(found: Found): ListField | undefined {
  const { element } = found;
  if (isHtml(element, 'select')) {
    const drawn = isHidden(found) ? drawnFor(element) : undefined;
    return drawn && { element: drawn, tree: treeOf(drawn), native: element as HTMLSelectElement };
  }
  const isField = takesText(element);
  if (isField || (element as HTMLElement).isContentEditable) {
    // the box around a text is the combobox of ARIA 1.1; what is edited otherwise is no list
    const native = isField ? standsFor(element) : undefined;
    if (native) return { ...found, native };
    return isField && nodes.closest(element, `${COMBOBOX}, ${HAS_LIST}`) ? found : undefined;
  }
  const root = nodes.shadowRoot(element);
  const inside = [...nodes.within(element, OPENERS), ...(root ? matchesIn(root, OPENERS) : [])];
  const field = nodes.closest(element, OPENERS) ?? (inside.length === 1 ? inside[0] : undefined);
  return field && { element: field, tree: treeOf(field) };
}

/** Whether a select field that cannot be seen has a list that is drawn in its place. */
export function isDrawnAsList(found: Found): boolean {
  return isHtml(found.element, 'select') && listField(found) !== undefined;
}

/** Return the select field out of sight that a field beside it stands for, without a word of it (Selectize). */
function standsFor(field: Element): HTMLSelectElement | undefined {
  for (const at of ancestors(field)) {
    const before = nodes.previous(at);
    if (!before || !isHtml(before, 'select')) continue;
    const isFor = isHidden({ element: before, tree: treeOf(before) }) && drawnFor(before) === field;
    return isFor && !nodes.closest(field, COMBOBOX) ? (before as HTMLSelectElement) : undefined;
  }
  return undefined;
}

/** Return the one combobox around, beside or near a select field (Choices.js, Select2), or the one field beside it. */
function drawnFor(select: Element): Element | undefined {
  const outer = nodes.closest(select, COMBOBOX);
  if (outer) return outer;
  for (const near of [nodes.next(select), nodes.parent(select)]) {
    if (!near || nodes.type(near) !== 1) continue;
    const shown = [...nodes.within(near as Element, COMBOBOX)].filter((one) => new View().isShown(one));
    if (shown.length === 1) return shown[0];
  }
  const isReplaced = nodes.attribute(select, 'tabindex') === '-1'; // else it is only hidden, and what follows is another field
  const beside = isReplaced ? nodes.next(select) : null;
  const fields = beside ? [...nodes.within(beside, 'input')].filter(takesText) : [];
  return fields.length === 1 ? fields[0] : undefined;
}

/** Whether a field of a form is filled from its list: what is searched for is only typed. */
export function isFromList({ element, native }: ListField): boolean {
  if (native || !takesText(element)) return true;
  const isOffered = nodes.attribute(element, 'aria-autocomplete') === 'list' || nodes.matches(element, OF_OPTIONS);
  return isOffered && !isSearch(element);
}

function isSearch(element: Element): boolean {
  if (nodes.closest(element, SEARCH)) return true;
  if (!nodes.matches(element, '[type="search"]')) return false;
  const words = ['id', 'name', 'class', 'placeholder'].map((name) => nodes.attribute(element, name) ?? '');
  return SEARCHES.test([accessibleName(element), ...words].join(' '));
}

export function takesText(element: Element): boolean {
  return isText(element) && !(element as HTMLInputElement).readOnly;
}

/**
 * Return a place in a box of a field where nothing else is pressed, such as the sign that takes a choice back: the middle, or
 * an end.
 */
function freePlace(box: Element, field: Found): Query {
  const { left, top, width, height } = outlineOf(box);
  const isFree = (x: number) => {
    const hit = drawnAt(field.tree.root as Document | ShadowRoot, { x: left + x, y: top + height / 2 });
    const other = hit && nodes.closest(hit, BUTTONS);
    return !other || contains(other, field.element);
  };
  const free = [width / 2, width - END_PX, END_PX].find((x) => x > 0 && x < width && isFree(x)) ?? width / 2;
  return free === width / 2 ? {} : { x: free, y: height / 2 };
}

/** Press the field, or the box of its component if that draws something over it. */
export async function pressField(field: Found, selector: string) {
  try {
    await click(field, freePlace(drawnPart(field).element, field), selector);
  } catch (thrown) {
    const over = drawnAt(field.tree.root as Document | ShadowRoot, middleInSight(field));
    const box = over && ancestors(field.element).find((one) => contains(one, over));
    if (!box || (thrown as { fault?: Fault }).fault?.code !== 'element_covered') throw thrown;
    await click({ element: box, tree: treeOf(box) }, freePlace(box, field), selector);
  }
}

export function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at && found.length < COMPONENT_LEVELS; at = around(at)) found.push(at);
  return found.filter((one) => !nodes.matches(one, 'html, body'));
}
