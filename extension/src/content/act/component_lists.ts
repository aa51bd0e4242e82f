// Chooses in a list that a component draws: it opens it, finds the option and presses it, a step a call, and waits for nothing.
//
// Such a list is a combobox, or a button with a list box (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Where a kit
// gives its options no role, the option is the text that has come with the list.

import { accessibleName } from '../dom/accessible_name.ts';
import { fail } from '../dom/faults.ts';
import { locate } from '../dom/locate.ts';
import { isHtml, matchesIn, nodes } from '../dom/nodes.ts';
import { type Tree, treeOf, treesOf } from '../dom/search.ts';
import { clip, oneLine } from '../dom/text.ts';
import { around, canBeSeen, contains, type Found, isOutOfSight, middleInSight } from '../dom/visibility.ts';
import { type Fault, frame, type Query } from '../frame.ts';
import { shownValue } from '../read/control_state.ts';
import type { ActionDone } from './action_types.ts';
import { drawnAt, requireReachable } from './actionability.ts';
import { click } from './click.ts';
import { isText } from './field_kinds.ts';
import { rejected, write } from './field_values.ts';
import { currentObservation, lastChange } from './observer.ts';
import { giveFocus } from './page_focus.ts';
import { stepOf } from './recorded_steps.ts';

const OPENERS = '[role="combobox"], [aria-haspopup="listbox"], [role="listbox"]';
const OPTIONS = '[role="option"], [role="menuitem"], [role="menuitemradio"], [role="treeitem"]';

/** How long an option is looked for before the field's text is used to find it. */
const FILTER_MS = 300;

/** How far around a field what lies over it is a part of it, and its choice is shown. */
const COMPONENT_LEVELS = 4;

/** The most options, and characters of each, that are named where none is the one that is wanted. */
const OPTIONS_NAMED = 20;
const OPTION_CHARACTERS = 60;

/** What is being chosen. */
type Choosing = {
  /** The action that it is a part of. */
  id: unknown;
  field: Found;
  selector: string;
  wanted: string[];
  /** How many of them are chosen. */
  done: number;
  /** What was shown before the list was opened. */
  before: Set<Element>;
  since: number;
  isFiltered: boolean;
  /** The time of the page's last change before an option was pressed. */
  changed: number;
};

let choosing: Choosing | undefined;

/** Return the field that opens a list of a component, which an element is, is in, or holds alone. */
export function listField({ element }: Found): Found | undefined {
  if (isHtml(element, 'select')) return undefined;
  const root = nodes.shadowRoot(element);
  const inside = [...nodes.within(element, OPENERS), ...(root ? matchesIn(root, OPENERS) : [])];
  const field = nodes.closest(element, OPENERS) ?? (inside.length === 1 ? inside[0] : undefined);
  return field && { element: field, tree: treeOf(field) };
}

/** Whether a list is the only way to enter something: a text can be typed into other fields that offer one. */
export function isListAlone({ element }: Found): boolean {
  return !isText(element) || (element as HTMLInputElement).readOnly;
}

/** Open the list; `chooseInList` goes on. */
export function beginChoosing(field: Found, wanted: string[], selector: string): ActionDone {
  requireReachable(field, selector);
  const { id } = currentObservation ?? {};
  choosing = { id, field, selector, wanted, done: 0, before: new Set(), since: 0, isFiltered: false, changed: 0 };
  open(choosing);
  return { waits: true, check: () => kept(field, wanted, selector) };
}

/**
 * Choose what can be chosen by now, and return how many are left.
 * @throws Fault the next one is not there, or cannot be pressed yet
 */
export function chooseInList({ id }: Query): { left: number } | { gone: true } {
  const now = choosing;
  if (!now || now.id !== id || currentObservation?.id !== id) return { gone: true };
  while (now.done < now.wanted.length) {
    const wanted = now.wanted[now.done] as string;
    const option = optionOf(now, wanted);
    if (!option) {
      filter(now, wanted);
      notOffered(now, wanted);
    }
    now.changed = lastChange();
    recorded(option, () => click(option, {}, now.selector));
    now.done += 1;
    if (now.done < now.wanted.length) open(now);
  }
  return { left: 0 };
}

/** As `chooseInList`, for a field of a form: open its list at the first call for it. */
export function chooseInForm(field: Found, wanted: string[], selector: string): ActionDone {
  const { id } = currentObservation ?? {};
  if (choosing?.id !== id || choosing?.field.element !== field.element) beginChoosing(field, wanted, selector);
  chooseInList({ id });
  return { check: () => kept(field, wanted, selector) };
}

/** Whether the list of the last field was opened, and is still to be chosen in. */
export function isChoosing(): boolean {
  return choosing !== undefined && choosing.id === currentObservation?.id && choosing.done < choosing.wanted.length;
}

/** Open the list, unless it is open. */
function open(now: Choosing) {
  const { element } = now.field;
  const isOpen = nodes.attribute(element, 'aria-expanded') === 'true' || nodes.attribute(element, 'role') === 'listbox';
  now.since = performance.now();
  now.isFiltered = false;
  now.before = new Set(isOpen ? [] : [...offered(), ...textsOf(now, now.wanted[now.done] as string)]);
  if (!isOpen) recorded(now.field, () => pressField(now.field, now.selector));
}

/** Press the field, or what its component draws over it. */
function pressField(field: Found, selector: string) {
  try {
    click(field, {}, selector);
  } catch (thrown) {
    const over = drawnAt(field.tree.root as Document | ShadowRoot, middleInSight(field));
    const isOwn = over && ancestors(field.element).some((one) => contains(one, over));
    if (!isOwn || (thrown as { fault?: Fault }).fault?.code !== 'element_covered') throw thrown;
    click({ element: over, tree: treeOf(over) }, {}, selector);
  }
}

/** Do a press, and record it as the user's own would be. */
function recorded({ element }: Found, press: () => void) {
  const record = frame.beginStep?.(element);
  const step = stepOf('click', element, {});
  press();
  record?.(step);
}

/** Find an option by its text or value: among those with a role, else among the texts that came with the list. */
function optionOf(now: Choosing, wanted: string): Found | undefined {
  const { element } = now.field;
  const isList = nodes.attribute(element, 'role') === 'listbox';
  const fresh = offered().filter((one) => !now.before.has(one) && (!isList || contains(element, one)));
  const text = oneLine(wanted);
  const matches: ((one: Element) => boolean)[] = [
    (one) => textOf(one) === text,
    (one) => ['data-value', 'value'].some((name) => nodes.attribute(one, name) === wanted),
    (one) => oneLine(accessibleName(one)) === text,
  ];
  for (const isIt of matches) {
    const found = fresh.find((one) => isIt(one) && isShown(one));
    if (found) return { element: found, tree: treeOf(found) };
  }
  const other = isList ? undefined : textsOf(now, wanted).find((one) => !now.before.has(one));
  return other && { element: other, tree: treeOf(other) };
}

/** List the options that are rendered and can be chosen. */
function offered(): Element[] {
  const options = treesOf(document).flatMap(({ root }: Tree) => [...matchesIn(root, OPTIONS)]);
  return options.filter(
    (one) =>
      nodes.box(one).width > 1 && !nodes.matches(one, ':disabled, [aria-disabled="true"]') && nodes.isRendered(one),
  );
}

/** List the elements with that very text that can be seen, beside the field. */
function textsOf({ field }: Choosing, wanted: string): Element[] {
  const found = locate(treesOf(document), `text=${JSON.stringify(oneLine(wanted))}`);
  return found
    .filter((one) => canBeSeen(one) && !isOutOfSight(one.element) && !contains(field.element, one.element))
    .map(({ element }) => element)
    .filter((one) => textOf(one) === oneLine(wanted));
}

function textOf(element: Element): string {
  return oneLine((element as HTMLElement).innerText ?? '');
}

function isShown(element: Element): boolean {
  return canBeSeen({ element, tree: treeOf(element) }) && !isOutOfSight(element);
}

/** Type what is wanted into a field that filters its list: a long list draws only what is in sight. */
function filter(now: Choosing, wanted: string) {
  const { element } = now.field;
  if (now.isFiltered || performance.now() - now.since < FILTER_MS) return;
  if (!isText(element) || (element as HTMLInputElement).readOnly) return;
  now.isFiltered = true;
  giveFocus(element);
  write(element as HTMLInputElement, wanted, wanted);
}

function notOffered({ before }: Choosing, wanted: string): never {
  const names = offered()
    .filter((one) => !before.has(one) && isShown(one))
    .slice(0, OPTIONS_NAMED)
    .map((one) => clip(oneLine(accessibleName(one)), OPTION_CHARACTERS));
  const what = names.length
    ? `The list has no option ${JSON.stringify(clip(wanted, OPTION_CHARACTERS))}; it shows ${names.join(', ')}.`
    : 'It is no select field, and a press on it shows no such option; click on it, and then on the option.';
  return fail('invalid_params', what, {
    details: { parameter: 'value', value: clip(wanted, 500) },
    ...(names.length && { recovery: 'The list is open: choose one of these, or close it by Escape.' }),
  });
}

/** See that the field shows what was chosen, or that at least something came of it, and return what it shows. */
function kept(field: Found, wanted: string[], selector: string): { value?: string } {
  const { element } = field;
  const isUnchanged = choosing !== undefined && lastChange() === choosing.changed;
  const shown = ancestors(element).map((one) => textOf(one));
  const held = String((element as HTMLInputElement).value ?? '');
  const shows = (text: string) => [held, ...shown].some((one) => one.includes(oneLine(text)));
  if (isUnchanged && !wanted.every(shows)) rejected(element, selector, wanted.join(', '));
  const value = shownValue({ element, role: 'combobox', name: accessibleName(element) });
  return value ? { value: clip(value, OPTION_CHARACTERS) } : {};
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at && found.length < COMPONENT_LEVELS; at = around(at)) found.push(at);
  return found.filter((one) => !nodes.matches(one, 'html, body'));
}
