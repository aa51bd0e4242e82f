// Chooses in a list that a component draws: it opens it, finds the option and presses it, a step a call, and sets no timer.
//
// Such a list is a combobox, or a button with a list box (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Where a kit
// gives its options no role, the option is the text that has come with the list.

import { accessibleName } from '../dom/accessible_name.ts';
import { matchesIn, nodes } from '../dom/nodes.ts';
import { clip, oneLine, sentValue } from '../dom/text.ts';
import { contains, type Found } from '../dom/visibility.ts';
import type { Fault } from '../frame.ts';
import { shownValue } from '../read/control_state.ts';
import type { Action, ActionDone } from './action_types.ts';
import { elementInFocus, requireReachable } from './actionability.ts';
import { click } from './click.ts';
import { accepted, rejected } from './field_values.ts';
import { pressOn } from './key_events.ts';
import { pressOf } from './keys.ts';
import { ancestors, COMBOBOX, HAS_LIST, type ListField, pressField, takesText } from './list_fields.ts';
import { isOption, MATCHES, textOf, View } from './list_options.ts';
import { currentObservation, lastChange } from './observer.ts';
import { recorded } from './recorded_steps.ts';
import { beginSteps, type Step, type Stepped } from './stepped.ts';

const FIELDS = `${COMBOBOX}, ${HAS_LIST}, input:not([type="hidden"]), select, textarea`;

/** How long an option is looked for before the list is filtered or scrolled. */
const MORE_MS = 200;

/** How long a text that is typed is looked for among the options; in a list that is open longer: Quasar filters after 500 ms. */
const OFFERS_MS = 300;
const FILTERS_MS = 700;

/** Between two looks, and for what a page draws in the next frame. */
const LOOK_MS = 50;
const FRAME_MS = 16;

/** How long a list has to close by itself once an option was pressed. */
const CLOSES_MS = 100;

/** The most times that a list which closes with each choice is opened to take one back. */
const REOPENED = 20;

/** The most options, and characters of each, that are named where none is the one that is wanted. */
const OPTIONS_NAMED = 20;
const OPTION_CHARACTERS = 60;

/** What stands before a text in an option that adds it. */
const CREATES =
  /^((add|create|use)( an?)?( new)?( (option|item|tag|label|value|entry))?|new (option|item|tag|label|value|entry)):? $/i;

/** `selector`: of the field, for errors; `type`: enters a text; `many`: several may be chosen, and no others are to be. */
type By = { selector: string; type: Action; many: boolean };

/**
 * As `beginChoosing`, for a field of a form, over which the list of the field before may be closing. A text that is typed
 * need be no option.
 */
export async function beginInForm(field: ListField, wanted: string[], by: By) {
  try {
    await beginChoosing(field, wanted, by, true);
  } catch (thrown) {
    const { fault } = thrown as { fault?: Fault };
    const step: Step = { left: 1, waitMs: LOOK_MS };
    throw fault?.code === 'element_covered' ? Object.assign(thrown as Error, { step }) : thrown;
  }
}

/** Open the list; `doStep` goes on. */
export async function beginChoosing(
  field: ListField,
  wanted: string[],
  by: By,
  mayBeText: boolean = false,
): Promise<ActionDone> {
  requireReachable(field, by.selector);
  if (currentObservation) currentObservation.list = true;
  const begun = new ListChoice(currentObservation?.id, field, wanted, by, mayBeText);
  const done = beginSteps(begun);
  await begun.open();
  return { ...done, parts: true };
}

/** Whether an option states that others may be chosen beside it. */
function isOneOfSeveral(option: Element): boolean {
  const isBox = nodes.matches(option, '[aria-checked]') || nodes.first(option, 'input[type="checkbox"]') !== null;
  return isBox || nodes.closest(option, '[aria-multiselectable="true"]') !== null;
}

/** The choice of one or several options in the list of a field. */
class ListChoice implements Stepped {
  readonly id;
  readonly field: ListField;
  /** Whether what is wanted may stay a text that is no option. */
  #isTyped;
  #wanted;
  #selector;
  #type;
  /** Whether several may be chosen, by what was asked for; and whether the list states it. */
  #many;
  #isSeveral = false;
  /** How many are chosen, and for how many the list was opened or seen to be open. */
  #done = 0;
  #opened = 0;
  /** Whether it was open before, else what was shown before it was opened, and when that was. */
  #wasOpen = false;
  #before = new Set<Element>();
  #view = new View();
  #since = 0;
  #isFiltered = false;
  /** What the field held before that was typed to filter its list. */
  #heldBefore: string | undefined;
  /** When the list is whole again once that was taken back, as `performance.now()`. */
  #allBy = 0;
  #reopened = 0;
  /** For how many done Enter was pressed last. */
  #enteredFor = -1;
  /** It did not close by itself: perhaps it wanted a word more. */
  #isShut = false;
  /** How many were marked as chosen in the list. */
  #marked = new Set<number>();
  /** The option that was pressed last, when that was, and the time of the page's last change before. */
  #pressed: Element | undefined;
  #pressedAt = 0;
  #changed = 0;

  constructor(id: string | undefined, field: ListField, wanted: string[], by: By, mayBeText: boolean) {
    this.id = id;
    this.field = field;
    const options = [...(field.native?.options ?? [])];
    this.#wanted = wanted.map((one) => options.find(({ value }) => value === one)?.text ?? one);
    this.#selector = by.selector;
    this.#type = by.type;
    this.#many = by.many;
    this.#isTyped = mayBeText && wanted.length === 1 && takesText(field.element);
  }

  /** Open the list, unless it is open. */
  async open() {
    this.#view = new View();
    const own = this.#done || !this.#isOpen() ? [] : this.#ownOptions();
    const isOpen = this.#done ? this.#isOpen() : own.length > 0; // what a field states may be late
    this.#since = performance.now();
    this.#isFiltered = false;
    this.#opened = this.#done + 1;
    if (!this.#done) this.#wasOpen = isOpen;
    if (isOpen && !this.#done) this.#before = new Set(this.#view.offered().filter((one) => !own.includes(one)));
    if (isOpen) return;
    const shown = this.#view.offered().filter((one) => this.#view.isShown(one));
    const texts = this.#wanted.flatMap((one) => this.#view.textsLike(one, this.field.element));
    const list = this.#namedList(); // it may be fading out since the last choice
    this.#before = new Set([...shown, ...texts].filter((one) => !list || !contains(list, one)));
    await recorded(this.field, () => pressField(this.field, this.#selector));
  }

  /** Press an option, or see at last that the list is closed: a page takes a press before the next one. */
  async step(): Promise<Step> {
    this.#view = new View();
    const left = this.#wanted.length - this.#done;
    if (this.#done && this.#opened === this.#done && this.#pressed && this.#isChosen(this.#pressed))
      this.#marked.add(this.#done);
    if (!left) return (await this.#unchooses()) ?? this.#closes();
    if (this.#opened === this.#done) await this.open();
    const option = this.#option();
    if (!option && this.#isNoOption()) return { left: 0 };
    if (!option && this.#isFree()) return this.#enter(left);
    if (!option) return { left: left + 1, fault: this.unfinished(), ...this.#bringMore() };
    this.#isSeveral ||= isOneOfSeveral(option.element);
    const isThere = (this.#many || this.#isSeveral) && this.#isChosen(option.element); // a press would take it back
    const fault = isThere ? undefined : await this.#press(option);
    if (fault) return { left: left + 1, fault, waitMs: LOOK_MS };
    this.#pressed = option.element;
    this.#done += 1;
    return { left, progress: true };
  }

  /** Whether several texts may be entered that need be no options: one was typed, and nothing is offered. */
  #isFree(): boolean {
    const isOver = this.#isFiltered && performance.now() - this.#since >= FILTERS_MS;
    return this.#many && isOver && !this.#fresh().some((one) => this.#view.isShown(one));
  }

  /** Press Enter, by which fields of tags take a text, and see that it is taken; what Enter does by itself is not done. */
  #enter(left: number): Step {
    const { element } = this.field;
    if (this.#enteredFor !== this.#done) {
      this.#enteredFor = this.#done;
      recorded(this.field, () => pressOn(element, pressOf('Enter'), () => undefined), 'key_press', { key: 'Enter' });
      return { left: left + 1, fault: this.unfinished(), progress: true, waitMs: LOOK_MS };
    }
    const isTaken = (element as HTMLInputElement).value === '';
    if (!isTaken) return { left: left + 1, fault: this.unfinished(), waitMs: LOOK_MS };
    this.#done += 1;
    return { left, progress: true };
  }

  /** Press an option; return why that cannot be done yet. */
  async #press(option: Found): Promise<Fault | undefined> {
    this.#changed = lastChange();
    this.#pressedAt = performance.now();
    try {
      await recorded(option, () => click(option, {}, this.#selector));
      return undefined;
    } catch (thrown) {
      const { fault } = thrown as { fault?: Fault };
      if (fault) return fault;
      throw thrown;
    }
  }

  /** Whether an option is chosen, by the select field, else by its mark; the active one of a list may have the same. */
  #isChosen(option: Element): boolean {
    const { element, native } = this.field;
    if (native) return [...native.selectedOptions].some(({ text }) => oneLine(text) === textOf(option));
    if (!nodes.isConnected(option)) return true; // what is chosen may leave the list
    if (nodes.matches(option, '[aria-checked="true"]') || nodes.first(option, ':checked')) return true;
    if (!nodes.matches(option, '[aria-selected="true"]')) return false;
    const active = nodes.attribute(element, 'aria-activedescendant');
    const isActive = active !== null && active === nodes.attribute(option, 'id');
    return !isActive || nodes.closest(option, '[aria-multiselectable="true"]') !== null;
  }

  /** Take back, of a list of which several are chosen, one that is not wanted. */
  async #unchooses(): Promise<Step | undefined> {
    if (!this.#many) return undefined;
    if (this.#isFiltered && this.#isOpen()) return this.#showAll();
    const isWanted = (one: Element) => this.#wanted.some((wanted) => isOption(one, wanted));
    const list = this.#pressed && nodes.isConnected(this.#pressed) && nodes.closest(this.#pressed, '[role="listbox"]');
    const fresh = this.#fresh().filter((one) => !list || contains(list, one));
    const other = this.#isOpen()
      ? fresh.find((one) => this.#isChosen(one) && this.#view.isShown(one) && !isWanted(one))
      : undefined;
    if (other && !(await this.#press(this.#view.found(other)))) return { left: 1, progress: true };
    if (!other && this.#isOpen() && performance.now() < this.#allBy) return { left: 1, waitMs: LOOK_MS };
    const hasMore = [...(this.field.native?.selectedOptions ?? [])].some((one) => !isWanted(one));
    if (other || this.#isOpen() || !hasMore || this.#reopened++ >= REOPENED) return undefined;
    await this.open();
    return { left: 1, progress: true, waitMs: LOOK_MS };
  }

  /** Take back what was typed to find an option: it hides the others that are chosen. */
  #showAll(): Step {
    this.#isFiltered = false;
    this.#allBy = performance.now() + MORE_MS;
    this.#type(this.field, { text: '' }, this.#selector);
    return { left: 1, progress: true, waitMs: LOOK_MS };
  }

  /** Close a list that is open, as a person does. */
  close() {
    this.#isShut = this.#isOpen();
    if (this.#isShut) pressOn(elementInFocus().element, pressOf('Escape'), () => undefined);
  }

  /** Leave the field as it was found. */
  giveUp() {
    if (this.#isFiltered) this.#type(this.field, { text: this.#heldBefore ?? '' }, this.#selector);
    this.close();
  }

  unfinished(): Fault {
    const names = this.#fresh()
      .filter((one) => this.#view.isShown(one))
      .slice(0, OPTIONS_NAMED)
      .map((one) => clip(oneLine(accessibleName(one)), OPTION_CHARACTERS));
    const wanted = this.#next ?? '';
    const message = names.length
      ? `The list has no option ${JSON.stringify(clip(wanted, OPTION_CHARACTERS))}; it has ${names.join(', ')}.`
      : 'It is no select field, and a press on it shows no such option; click on it, and then on the option.';
    const isUndrawn = document.hidden && !names.length; // Ant Design places its lists in animation frames
    return {
      code: 'invalid_params',
      message,
      details: { parameter: 'value', value: clip(wanted, 500) },
      ...(isUndrawn && { recovery: 'The tab is hidden, where some lists are not drawn: switch_tab to it first.' }),
    };
  }

  /** See that the field shows what was chosen, or that at least something came of it, and return what it shows. */
  kept(): object {
    const { element } = this.field;
    const wanted = this.#wanted;
    if (this.#isTyped && !this.#pressed)
      return accepted(element as HTMLInputElement, wanted[0] as string, this.#selector) ?? {};
    const texts = this.#shownTexts();
    const shows = (text: string) => texts.some((one) => one.includes(oneLine(text)));
    const showsAll = wanted.every(shows);
    const wantsMore = !this.#many && !this.#isSeveral && this.#isShut;
    const isUnmarked = this.#marked.size < wanted.length && (this.#many || lastChange() === this.#changed);
    if (!showsAll && (this.field.native || wantsMore || isUnmarked))
      // else it may be shown elsewhere
      rejected(element, this.#selector, wanted.join(', '));
    const value = this.field.native ? '' : shownValue({ element, role: 'combobox', name: accessibleName(element) });
    const isIn = (text: string) => wanted.every((one) => text.includes(oneLine(one)));
    const all = this.field.native ? texts.join(', ') : this.#many ? texts.find(isIn) : wanted.map(oneLine).join(', ');
    const chosen = showsAll && !isIn(value) ? (all ?? '') : value;
    return chosen ? { value: sentValue(chosen) } : {};
  }

  /** List what the field shows, and what is drawn around it and of no other field; of a select field what it holds. */
  #shownTexts(): string[] {
    const { element, native } = this.field;
    if (native) return [...native.selectedOptions].map(({ text }) => oneLine(text));
    const others = (at: Element) =>
      [...nodes.within(at, FIELDS)].some(
        (one) => !contains(one, element) && !contains(element, one) && new View().isShown(one),
      );
    const around = ancestors(element);
    const end = around.findIndex(others);
    const own = end < 0 ? around : around.slice(0, end);
    return [String((element as HTMLInputElement).value ?? ''), ...own.map(textOf)];
  }

  get #next(): string | undefined {
    return this.#wanted[this.#done];
  }

  /** Whether the list is open, by what the field states, else by the option that was pressed. */
  #isOpen(): boolean {
    const { element } = this.field;
    const stated = nodes.attribute(element, 'aria-expanded');
    if (stated === 'true' || nodes.attribute(element, 'role') === 'listbox') return true;
    return (
      stated === null &&
      this.#pressed !== undefined &&
      nodes.isConnected(this.#pressed) &&
      this.#view.isShown(this.#pressed)
    );
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
    const fresh = this.#fresh().filter((one) => !isList || contains(element, one));
    for (const isIt of MATCHES) {
      const found = fresh.find((one) => isIt(one, wanted) && this.#view.isShown(one));
      if (found) return this.#view.found(found);
    }
    const texts = this.#wasOpen ? [] : this.#view.textsLike(wanted, element);
    const other = texts.find((one) => !this.#before.has(one)) ?? this.#creating(fresh, wanted);
    return other && this.#view.found(other);
  }

  /** Find the one option that a list is left with which adds what was typed to it. */
  #creating(fresh: Element[], wanted: string): Element | undefined {
    if (!this.#isFiltered || performance.now() - this.#since < MORE_MS) return undefined;
    const shown = fresh.filter((one) => this.#view.isShown(one));
    return shown.length === 1 && adds(textOf(shown[0] as Element), oneLine(wanted)) ? shown[0] : undefined;
  }

  /** List the options that were not shown before. */
  #fresh(): Element[] {
    return this.#view.offered().filter((one) => !this.#before.has(one));
  }

  /** Whether a text was typed and its list had the time to offer it. */
  #isNoOption(): boolean {
    const forMs = this.#isOpen() ? FILTERS_MS : OFFERS_MS;
    return this.#isTyped && this.#isFiltered && performance.now() - this.#since >= forMs;
  }

  /** A long list draws only what is in sight: type what is wanted where the field filters it, or scroll it on. */
  #bringMore(): Omit<Step, 'left'> {
    const { element } = this.field;
    const wait = { waitMs: LOOK_MS };
    if (!this.#isTyped && performance.now() - this.#since < MORE_MS) return wait;
    if (takesText(element)) {
      if (this.#isFiltered) return wait;
      this.#isFiltered = true;
      this.#heldBefore ??= (element as HTMLInputElement).value;
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

  /** List the options of a list that is open: of the one that the field names, else those in its component. */
  #ownOptions(): Element[] {
    const { element } = this.field;
    const isList = nodes.attribute(element, 'role') === 'listbox';
    const named = this.#namedList();
    const around = isList ? [element] : named ? [named] : ancestors(element);
    return this.#view.offered().filter((one) => this.#view.isShown(one) && around.some((at) => contains(at, one)));
  }

  #namedList(): Element | undefined {
    const { element } = this.field;
    const id = nodes.attribute(element, 'aria-controls') ?? nodes.attribute(element, 'aria-owns');
    return id ? matchesIn(nodes.root(element) as Document, `#${CSS.escape(id)}`)[0] : undefined;
  }

  /** Find what scrolls around the options, or beside the list that the field names. */
  #scroller(): Element | undefined {
    const first = this.#namedList() ?? this.#fresh().find((one) => this.#view.isShown(one));
    const near = first ? ancestors(first) : [];
    return near.flatMap((one) => [one, ...(one === near.at(-1) ? [] : nodes.within(one, '*'))]).find(scrolls);
  }
}

/** Whether an option adds a text to its list: it has it in quotes, or after a word such as "Create". */
function adds(option: string, text: string): boolean {
  const at = option.indexOf(text);
  if (at < 0) return false;
  const [before, after] = [option.slice(0, at), option.slice(at + text.length)];
  return (/["'“„«‘]$/.test(before) && /^["'”“»’]/.test(after)) || (after === '' && CREATES.test(before));
}

function scrolls(element: Element): boolean {
  if (element.scrollHeight <= element.clientHeight + 1 || !element.clientHeight) return false;
  return /^(auto|scroll|hidden)$/.test(getComputedStyle(element).overflowY);
}
