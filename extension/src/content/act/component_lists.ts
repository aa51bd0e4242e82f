// Chooses in a list that a component draws: it opens it, finds the option and presses it, a step a call, and waits for nothing.
//
// Such a list is a combobox, or a button with a list box (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Where a kit
// gives its options no role, the option is the text that has come with the list.

import { accessibleName } from '../dom/accessible_name.ts';
import { locate } from '../dom/locate.ts';
import { isHtml, matchesIn, nodes } from '../dom/nodes.ts';
import { type Tree, treeOf, treesOf } from '../dom/search.ts';
import { clip, oneLine } from '../dom/text.ts';
import { around, canBeSeen, contains, type Found, isOutOfSight, middleInSight } from '../dom/visibility.ts';
import { type Fault, frame, type Query } from '../frame.ts';
import { shownValue } from '../read/control_state.ts';
import type { Action, ActionDone } from './action_types.ts';
import { drawnAt, elementInFocus, requireReachable } from './actionability.ts';
import { click } from './click.ts';
import { isText } from './field_kinds.ts';
import { accepted, rejected } from './field_values.ts';
import { pressOn } from './key_events.ts';
import { pressOf } from './keys.ts';
import { lastCheck } from './last_check.ts';
import { currentObservation, lastChange } from './observer.ts';
import { stepOf } from './recorded_steps.ts';

const OPENERS = '[role="combobox"], [aria-haspopup="listbox"], [role="listbox"]';
const SEARCH =
  '[role="search"], [role="searchbox"], [type="search"], [enterkeyhint="search"], form[action*="search" i]';
const DISABLED = ':disabled, [aria-disabled="true"]';
const OPTIONS = '[role="option"], [role="menuitem"], [role="menuitemradio"], [role="treeitem"]';

/** How long an option is looked for before the list is filtered or scrolled. */
const MORE_MS = 200;

/** How long a text that is typed is looked for among the options. */
const OFFERS_MS = 300;

/** Between two looks, and for what a page draws in the next frame. */
const LOOK_MS = 50;
const FRAME_MS = 16;

/** How far around a field what lies over it is a part of it, and its choice is shown. */
const COMPONENT_LEVELS = 4;

/** How long a list has to close by itself once an option was pressed. */
const CLOSES_MS = 100;

/** The most options, and characters of each, that are named where none is the one that is wanted. */
const OPTIONS_NAMED = 20;
const OPTION_CHARACTERS = 60;

/**
 * How far the choice is. `left`: the steps to come, of which one may be to see the list closed; `fault`: why there was none;
 * `progress`: something was done; `waitMs`: the time that the page needs first.
 */
export type Step = { left: number; fault?: Fault; progress?: true; waitMs?: number };

let choice: ListChoice | undefined;

/** Return the field that opens a list of a component, which an element is, is in, or holds alone. */
export function listField({ element }: Found): Found | undefined {
  if (isHtml(element, 'select')) return undefined;
  const root = nodes.shadowRoot(element);
  const inside = [...nodes.within(element, OPENERS), ...(root ? matchesIn(root, OPENERS) : [])];
  const field = nodes.closest(element, OPENERS) ?? (inside.length === 1 ? inside[0] : undefined);
  return field && { element: field, tree: treeOf(field) };
}

/** Whether a field of a form is filled from its list: what is searched for is only typed. */
export function isFromList({ element }: Found): boolean {
  if (!takesText(element)) return true;
  return nodes.attribute(element, 'aria-autocomplete') === 'list' && !nodes.closest(element, SEARCH);
}

function takesText(element: Element): boolean {
  return isText(element) && !(element as HTMLInputElement).readOnly;
}

/** As `beginChoosing`, for a field of a form, over which the list of the field before may be closing. */
export function beginInForm(field: Found, wanted: string[], selector: string, type: Action) {
  try {
    beginChoosing(field, wanted, selector, type);
  } catch (thrown) {
    const { fault } = thrown as { fault?: Fault };
    const step: Step = { left: 1, waitMs: LOOK_MS };
    throw fault?.code === 'element_covered' ? Object.assign(thrown as Error, { step }) : thrown;
  }
}

/** Open the list; `chooseInList` goes on. `type` enters a text. */
export function beginChoosing(field: Found, wanted: string[], selector: string, type: Action): ActionDone {
  requireReachable(field, selector);
  lastCheck.list = true;
  const begun = new ListChoice(currentObservation?.id, field, wanted, { selector, type });
  choice = begun;
  begun.open();
  return { waits: true, check: () => begun.kept() };
}

/** Do the next step of the choice that an action has begun. The query has `id`, and `cancel` to close the list. */
export function chooseInList({ id, cancel }: Query): Step | { gone: true } {
  if (!choice || choice.id !== id || currentObservation?.id !== id) return { gone: true };
  if (!cancel) return choice.step();
  choice.close();
  return { left: 0 };
}

/**
 * As `chooseInList`, for a field of a form, which `beginInForm` is called for first. A text that is typed need be no option.
 * @throws Fault with the `step` that was not the last
 */
export function chooseInForm(selector: string): ActionDone {
  const now = choice as ListChoice;
  now.mayBeText();
  const step = now.step();
  if (step.left) throw Object.assign(new Error(selector), { fault: step.fault ?? now.notOffered(), step });
  return { check: () => now.kept() };
}

/** The choice of one or several options in the list of a field. */
class ListChoice {
  readonly id;
  readonly field;
  /** Whether what is wanted may stay a text that is no option. */
  #isTyped = false;
  #wanted;
  #selector;
  #type;
  /** How many are chosen, and for how many the list was opened or seen to be open. */
  #done = 0;
  #opened = 0;
  /** Whether it was open before, else what was shown before it was opened, and when that was. */
  #wasOpen = false;
  #before = new Set<Element>();
  #since = 0;
  #isFiltered = false;
  /** The option that was pressed last, when that was, and the time of the page's last change before. */
  #pressed: Element | undefined;
  #pressedAt = 0;
  #changed = 0;

  constructor(id: string | undefined, field: Found, wanted: string[], by: { selector: string; type: Action }) {
    this.id = id;
    this.field = field;
    this.#wanted = wanted;
    this.#selector = by.selector;
    this.#type = by.type;
  }

  /** Open the list, unless it is open. */
  open() {
    const isOpen = this.#isOpen();
    this.#since = performance.now();
    this.#isFiltered = false;
    this.#opened = this.#done + 1;
    if (!this.#done) this.#wasOpen = isOpen;
    if (!isOpen) this.#before = new Set([...offered(), ...this.#wanted.flatMap((one) => this.#textsLike(one))]);
    if (!isOpen) recorded(this.field, () => pressField(this.field, this.#selector));
  }

  mayBeText() {
    this.#isTyped = this.#wanted.length === 1 && takesText(this.field.element);
  }

  /** Press an option, or see at last that the list is closed: a page takes a press before the next one. */
  step(): Step {
    const left = this.#wanted.length - this.#done;
    if (!left) return this.#closes();
    if (this.#opened === this.#done) this.open();
    const option = this.#option();
    if (!option && this.#isNoOption()) return { left: 0 };
    if (!option) return { left: left + 1, fault: this.notOffered(), ...this.#bringMore() };
    this.#changed = lastChange();
    try {
      recorded(option, () => click(option, {}, this.#selector));
    } catch (thrown) {
      const { fault } = thrown as { fault?: Fault };
      if (!fault) throw thrown;
      return { left: left + 1, fault, waitMs: LOOK_MS }; // it is moving yet
    }
    this.#pressed = option.element;
    this.#pressedAt = performance.now();
    this.#done += 1;
    return { left, progress: true };
  }

  /** Close a list that is open, as a person does. */
  close() {
    if (this.#isOpen()) pressOn(elementInFocus().element, pressOf('Escape'), () => undefined);
  }

  notOffered(): Fault {
    const names = offered()
      .filter((one) => !this.#before.has(one) && isShown(one))
      .slice(0, OPTIONS_NAMED)
      .map((one) => clip(oneLine(accessibleName(one)), OPTION_CHARACTERS));
    const wanted = this.#next ?? '';
    const message = names.length
      ? `The list has no option ${JSON.stringify(clip(wanted, OPTION_CHARACTERS))}; it has ${names.join(', ')}.`
      : 'It is no select field, and a press on it shows no such option; click on it, and then on the option.';
    return { code: 'invalid_params', message, details: { parameter: 'value', value: clip(wanted, 500) } };
  }

  /** See that the field shows what was chosen, or that at least something came of it, and return what it shows. */
  kept(): object {
    const { element } = this.field;
    const wanted = this.#wanted;
    if (this.#isTyped && !this.#pressed)
      return accepted(element as HTMLInputElement, wanted[0] as string, this.#selector) ?? {};
    const shown = ancestors(element).map((one) => textOf(one));
    const held = String((element as HTMLInputElement).value ?? '');
    const shows = (text: string) => [held, ...shown].some((one) => one.includes(oneLine(text)));
    const showsAll = wanted.every(shows);
    const isUnsure = wanted.length > 1 || lastChange() === this.#changed; // a command of a menu is shown nowhere
    if (!showsAll && isUnsure) rejected(element, this.#selector, wanted.join(', '));
    const value = shownValue({ element, role: 'combobox', name: accessibleName(element) });
    const chosen = value || (showsAll ? wanted.map(oneLine).join(', ') : '');
    return chosen ? { value: clip(chosen, OPTION_CHARACTERS) } : {};
  }

  get #next(): string | undefined {
    return this.#wanted[this.#done];
  }

  /** Whether the list is open, by what the field states, else by the option that was pressed. */
  #isOpen(): boolean {
    const { element } = this.field;
    const stated = nodes.attribute(element, 'aria-expanded');
    if (stated === 'true' || nodes.attribute(element, 'role') === 'listbox') return true;
    return stated === null && this.#pressed !== undefined && nodes.isConnected(this.#pressed) && isShown(this.#pressed);
  }

  /** See the list closed; one of which several are chosen stays open. */
  #closes(): Step {
    const isAlways = nodes.attribute(this.field.element, 'role') === 'listbox';
    const isStated = nodes.attribute(this.field.element, 'aria-expanded') !== null;
    if (isAlways || !this.#isOpen() || (!isStated && this.#wanted.length === 1)) return { left: 0 };
    if (performance.now() - this.#pressedAt < CLOSES_MS) return { left: 1, waitMs: LOOK_MS };
    this.close();
    return { left: 0 };
  }

  /** Find an option by its text or value: among those with a role, else among the texts that came with the list. */
  #option(): Found | undefined {
    const { element } = this.field;
    const wanted = this.#next as string;
    const isList = nodes.attribute(element, 'role') === 'listbox';
    const fresh = offered().filter((one) => !this.#before.has(one) && (!isList || contains(element, one)));
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
    const other = this.#wasOpen ? undefined : this.#textsLike(wanted).find((one) => !this.#before.has(one));
    return other && { element: other, tree: treeOf(other) };
  }

  /** List the elements with that very text that can be seen, beside the field. */
  #textsLike(wanted: string): Element[] {
    const text = oneLine(wanted);
    const found = locate(treesOf(document), `text=${JSON.stringify(text)}`);
    return found
      .filter((one) => canBeSeen(one) && !isOutOfSight(one.element) && !contains(this.field.element, one.element))
      .map(({ element }) => element)
      .filter((one) => textOf(one) === text && !nodes.closest(one, DISABLED));
  }

  /** Whether a text was typed and its list had the time to offer it. */
  #isNoOption(): boolean {
    return this.#isTyped && this.#isFiltered && performance.now() - this.#since >= OFFERS_MS;
  }

  /** A long list draws only what is in sight: type what is wanted where the field filters it, or scroll it on. */
  #bringMore(): Omit<Step, 'left'> {
    const { element } = this.field;
    const wait = { waitMs: LOOK_MS };
    if (!this.#isTyped && performance.now() - this.#since < MORE_MS) return wait;
    if (takesText(element)) {
      if (this.#isFiltered) return wait;
      this.#isFiltered = true;
      const text = this.#next;
      recorded(this.field, () => this.#type(this.field, { text }, this.#selector), 'type', { text });
      this.#since = performance.now();
      return { progress: true, ...wait };
    }
    const list = this.#scroller();
    const before = list?.scrollTop;
    list?.scrollBy({ top: list.clientHeight, behavior: 'instant' });
    return list && list.scrollTop !== before ? { progress: true, waitMs: FRAME_MS } : wait;
  }

  /** Find what scrolls around the options, or beside the list that the field names. */
  #scroller(): Element | undefined {
    const { element } = this.field;
    const id = nodes.attribute(element, 'aria-controls') ?? nodes.attribute(element, 'aria-owns');
    const named = id ? matchesIn(nodes.root(element) as Document, `#${CSS.escape(id)}`)[0] : undefined;
    const first = named ?? offered().find((one) => !this.#before.has(one) && isShown(one));
    const near = first ? ancestors(first) : [];
    return near.flatMap((one) => [one, ...(one === near.at(-1) ? [] : nodes.within(one, '*'))]).find(scrolls);
  }
}

function scrolls(element: Element): boolean {
  if (element.scrollHeight <= element.clientHeight + 1 || !element.clientHeight) return false;
  return /^(auto|scroll|hidden)$/.test(getComputedStyle(element).overflowY);
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

/** Do a part of the choice, and record it as the user's own would be. */
function recorded({ element }: Found, act: () => void, action = 'click', query: Query = {}) {
  const record = frame.beginStep?.(element);
  const step = stepOf(action, element, query);
  act();
  record?.(step);
}

/** List the options that are rendered and can be chosen. */
function offered(): Element[] {
  const options = treesOf(document).flatMap(({ root }: Tree) => [...matchesIn(root, OPTIONS)]);
  return options.filter((one) => nodes.box(one).width > 1 && !nodes.matches(one, DISABLED) && nodes.isRendered(one));
}

function textOf(element: Element): string {
  return oneLine((element as HTMLElement).innerText ?? '');
}

function isShown(element: Element): boolean {
  return canBeSeen({ element, tree: treeOf(element) }) && !isOutOfSight(element);
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at && found.length < COMPONENT_LEVELS; at = around(at)) found.push(at);
  return found.filter((one) => !nodes.matches(one, 'html, body'));
}
