// Does to an element what a person would do to it (SPEC, interact); it must not look for one, nor measure the effect.
//
// Values are written by the setters of this world's own prototypes, and followed by the events that a person's input makes:
// frameworks that replace the setter of an element (React) accept that. What the page made of a value is read again when
// it has come to rest, by `check`: one that was rejected is an error.

import type { PageAction } from '../../shared/action_groups.ts';
import { elementToActOn } from '../dom/choose_element.ts';
import { partFor } from '../dom/components.ts';
import { fail, refuse } from '../dom/faults.ts';
import { briefNameOf } from '../dom/naming.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip, oneLine } from '../dom/text.ts';
import { bringIntoSight, type Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import type { Action, ActionDone } from './action_types.ts';
import { bringIntoReach, hitIn, READ_ONLY, refuseKind, requireReachable, whyNotTyped } from './actionability.ts';
import { click } from './click.ts';
import { beginChoosing } from './component_lists.ts';
import { drag } from './drag.ts';
import { editorInput, typeInEditor, typeKeysInEditor } from './editors.ts';
import {
  contextOf,
  focusable,
  hasPlaces,
  isEditable,
  isSet,
  isText,
  isTicked,
  onlyFocusableIn,
} from './field_kinds.ts';
import { accepted, announce, caretAtEnd, edit, endEntry, holdsText, rejected, write } from './field_values.ts';
import { holdKey } from './held_key.ts';
import { showsUnderPointer } from './hover_styles.ts';
import { textToEnter } from './kept_secret.ts';
import { doKeyDefault } from './key_defaults.ts';
import { keyOf, pressDown, pressOn } from './key_events.ts';
import { focusForKeys } from './key_target.ts';
import { pressOf } from './keys.ts';
import { listField } from './list_fields.ts';
import { hasChanged, lastChange } from './observer.ts';
import { focused, giveFocus } from './page_focus.ts';
import { pageTurn } from './page_turns.ts';
import { point, pointOnto } from './pointer.ts';
import { beginMoving, isDrawnSlider } from './slider_moves.ts';
import { upload } from './upload.ts';
import { wheel } from './wheel.ts';

export const actions: Record<PageAction, Action> & Record<string, Action> = {
  click,
  hover,
  type: typeInto,
  select: choose,
  check: tick,
  key_press: pressKey,
  set_attribute: setAttribute,
  drag,
  upload,
  focus: focusOn,
  scroll_to: scrollTo,
  wheel,
};

function hover(found: Found, query: Query, selector: string): ActionDone {
  const at = bringIntoReach(found, selector, query);
  pointOnto(hitIn(found, at), at);
  const hit = hitIn(found, at); // the page may draw anew what is pointed at
  point(hit, at, ['pointermove', 'mousemove']);
  const hint = 'A script moves no real pointer, and styles show something under one: call again with trusted:true.';
  return { check: () => (!hasChanged() && showsUnderPointer(hit) ? { hint } : {}) };
}

export function typeInto(found: Found, query: Query, selector: string): ActionDone | Promise<ActionDone> {
  const { clear = true, keys = false } = query;
  const { element } = found;
  const text = textToEnter(element, query);
  if (isDrawnSlider(element)) return beginMoving(found, text, selector);
  requireReachable(found, selector);
  bringIntoSight(found);
  const editor = editorInput(element);
  if (editor) return (keys ? typeKeysInEditor : typeInEditor)(editor, text, clear !== false, selector);
  if (!isEditable(element) && !isSet(element)) refuseKind(selector, 'type', whyNotTyped(element));
  focusOrFail(element, selector); // some pages take the read-only off a field only then
  if (nodes.matches(element, ':read-only') && !isSet(element) && !(element as HTMLElement).isContentEditable)
    refuseKind(selector, 'type', READ_ONLY);
  if (keys && !isSet(element)) return typeByKeys(element as HTMLElement, text, clear !== false, selector);
  if (!isText(element) && !isSet(element)) return writeRich(element as HTMLElement, text, clear !== false, selector);
  const field = element as HTMLInputElement;
  const value = clear === false && !isSet(field) ? field.value + text : text;
  if (!writeAtOnce(field, value, text, clear !== false)) return typeByKeys(field, text, clear !== false, selector);
  return { check: () => accepted(field, value, selector) };
}

/** Write a text at once; return whether the page takes that, and not each key for itself. */
function writeAtOnce(field: HTMLInputElement, value: string, text: string, clear: boolean): boolean {
  const before = field.value;
  let isTaken = true;
  withLastKey(field, text, (isFree) => {
    isTaken = (isFree || field.value !== before) && isAnnounced(field, text, clear);
    if (isTaken) write(field, value, text);
  });
  if (isTaken) endEntry(field);
  return isTaken;
}

/** Announce a text to a field with places in it, and return whether the page has not prevented it. */
function isAnnounced(field: HTMLInputElement, text: string, clear: boolean): boolean {
  if (!hasPlaces(field)) return true;
  selectIn(field, clear);
  return announce(field, text ? 'insertText' : 'delete', text);
}

/**
 * Write between the events of the last key that a person would have pressed: some pages read a field at these alone.
 * `act` gets whether the page has left the key to Chrome.
 */
function withLastKey(element: Element, text: string, act: (isFree: boolean) => void) {
  const press = text ? keyOf([...text].findLast((character) => keyOf(character)?.key !== 'Enter')) : pressOf('Delete');
  if (press) pressOn(element, press, act, true);
  else act(true);
}

/** Type character by character, each with its key, as a person does. */
async function typeByKeys(element: HTMLElement, text: string, clear: boolean, selector: string): Promise<ActionDone> {
  const isField = isText(element);
  const before = isField && !clear ? (element as HTMLInputElement).value : '';
  if (isField) selectIn(element as HTMLInputElement, clear);
  else selectWithin(element, clear);
  if (clear && (isField ? (element as HTMLInputElement).value : element.textContent)) edit(element, 'delete', '');
  for (const character of text) {
    const target = focused() ?? element; // fields of a code pass the focus on
    const write = () =>
      character === '\n' ? void doKeyDefault(pressOf('Enter'), target) : edit(target, 'insertText', character);
    const press = keyOf(character);
    const { release } = press ? pressDown(target, press, write) : { release: write };
    await pageTurn();
    release();
    await pageTurn();
  }
  if (isField) endEntry(element);
  if (focused() !== element || text.includes('\n')) return {};
  if (!isField) return { check: () => holdsText(element, text, clear, selector) };
  return { check: () => accepted(element as HTMLInputElement, before + text, selector) };
}

function selectIn(field: HTMLInputElement, all: boolean) {
  if (all) field.select();
  else caretAtEnd(field);
}

function selectWithin(element: Element, all: boolean) {
  const selection = element.ownerDocument.getSelection();
  selection?.selectAllChildren(element);
  if (!all) selection?.collapseToEnd();
}

function writeRich(element: HTMLElement, text: string, clear: boolean, selector: string): ActionDone {
  withLastKey(element, text, () => {
    const selection = element.ownerDocument.getSelection(); // now: some editors set their own at a key
    if (clear) selection?.selectAllChildren(element);
    else selection?.setPosition(element, nodes.childNodes(element).length);
    edit(element, text ? 'insertText' : 'delete', text);
  });
  return { check: () => holdsText(element, text, clear, selector) };
}

export function choose(found: Found, { value, values }: Query, selector: string): ActionDone | Promise<ActionDone> {
  const { element } = found;
  const wanted = (values ?? [value]) as string[];
  const list = listField(found);
  if (list) return beginChoosing(list, wanted, { selector, type: typeInto, many: values !== undefined });
  requireReachable(found, selector);
  bringIntoSight(found);
  if (!isHtml(element, 'select'))
    refuseKind(selector, 'select', 'It is no select field; click on it, and then on the option.');
  const field = element as HTMLSelectElement;
  if (wanted.length !== 1 && !field.multiple) refuse('values', values, 'This field takes one value.');
  const isFilledLate = !wanted.every((one) => optionIn(field, one));
  focusOrFail(field, selector);
  if (isFilledLate) pressList(field); // some pages fill a list when it opens
  const options = wanted.map((one) => optionOf(field, one));
  for (const option of field.options) option.selected = options.includes(option);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return {
    check() {
      if (!options.every((option) => option.selected)) rejected(field, selector, wanted.join(', '));
    },
  };
}

/** Send what a press sends that opens a list. */
function pressList(field: HTMLSelectElement) {
  const { left, top, width, height } = nodes.box(field);
  const at = { x: left + width / 2, y: top + height / 2 };
  point(field, at, ['pointerdown', 'mousedown']);
  point(field, at, ['pointerup', 'mouseup', 'click']);
}

function optionIn({ options }: HTMLSelectElement, wanted: string): HTMLOptionElement | undefined {
  const all = [...options];
  return all.find(({ value }) => value === wanted) ?? all.find(({ text }) => oneLine(text) === oneLine(wanted));
}

function optionOf(field: HTMLSelectElement, wanted: string): HTMLOptionElement {
  const option = optionIn(field, wanted);
  if (option && isOffered(option)) return option;
  const names = [...field.options]
    .filter(isOffered)
    .slice(0, 20)
    .map(({ text }) => clip(oneLine(text), 60));
  return refuse(
    'value',
    wanted,
    `The field has no such option${option ? ' that is enabled' : ''}; it has ${names.join(', ') || 'none'}.`,
  );
}

/** Whether a person could choose the option: neither it nor its group is disabled or hidden. */
function isOffered(option: HTMLOptionElement): boolean {
  return !nodes.matches(option, ':disabled') && !nodes.matches(option, '[hidden], optgroup[hidden] > option');
}

export async function tick(found: Found, query: Query, selector: string): Promise<ActionDone> {
  const { element } = found;
  const { checked = true } = query;
  requireReachable(found, selector);
  const isOn = () => isTicked(element);
  if (isOn() === null) refuseKind(selector, 'check', 'It is neither a checkbox, a radio button nor a switch.');
  if (isOn() !== checked && !isHtml(element, 'input'))
    await click(partFor(found, 'focus'), {}, selector); // its parts may take the press, and beside them nothing
  else if (isOn() !== checked) {
    bringIntoSight(found);
    (element as HTMLElement).click();
  }
  return {
    check() {
      const now = nodes.isConnected(element) ? element : drawnAgain(query);
      if (!now) return { detached: true };
      if (isTicked(now) !== checked) rejected(now, selector, checked ? 'checked' : 'unchecked');
      return now === element ? undefined : { checked };
    },
  };
}

/** Return what a page has drawn anew in the place of what was ticked, as frameworks do with all that depends on it. */
function drawnAgain({ selector, nth = null }: Query): Element | undefined {
  try {
    return partFor(elementToActOn({ selector, nth }), 'check').element;
  } catch {
    return undefined; // it is gone, or one of several by now
  }
}

async function pressKey(found: Found, { key, selector: asked }: Query, selector: string): Promise<ActionDone> {
  if (asked !== undefined) requireReachable(found, selector); // else it goes where the focus is, whatever is in front
  const element = focusForKeys(found.element);
  const press = pressOf(key);
  const writes = [...press.key].length === 1 && !press.ctrlKey && !press.altKey && !press.metaKey;
  let done = 'done';
  const before = lastChange();
  const { prevented, release } = pressDown(element, press, (_, writer) => (done = doKeyDefault(press, writer)));
  await pageTurn();
  const held = done === 'nothing' || prevented ? holdKey(before, release) : (release(), {});
  const isUnsure =
    (writes && contextOf(element)) || done === 'needs_trusted' || (done === 'nothing' && !document.hasFocus());
  const isElsewhere = element !== found.element && focusable(found.element) === found.element;
  const isFutile = isElsewhere && (done === 'nothing' || press.key === 'Escape');
  if (prevented || !(isUnsure || isFutile)) return held;
  return {
    ...held,
    check() {
      if (hasChanged()) return;
      if (isFutile) focusIsElsewhere(key, found.element, element);
      needsTrusted(key, done);
    },
  };
}

/** Fail for a key that what has the focus made nothing of: the element that was named may do so, with the focus. */
function focusIsElsewhere(key: string, named: Element, taker: Element): never {
  const [name, inside] = [briefNameOf(named), briefNameOf(taker)];
  return fail(
    'focus_elsewhere',
    `${clip(key, 80)} went to ${inside}, which has the focus in ${name}, and changed nothing.`,
    {
      details: { key: clip(key, 80), focus: inside },
      recovery: `Use interact(action:"focus", selector) on ${name}, then key_press without a selector.`,
    },
  );
}

/** Fail for a key whose work is Chrome's own, or that a page may take only while its window has the focus. */
function needsTrusted(key: string, done: string): never {
  const name = clip(key, 80);
  const why =
    done === 'nothing'
      ? `${name} was pressed and the page changed nothing: its window has not the focus, and some pages ask for that.`
      : `A script cannot have Chrome do what ${name} does here, and the page did nothing.`;
  return fail('needs_trusted', why, { details: { key: name }, recovery: 'Call again with trusted:true.' });
}

function setAttribute({ element }: Found, { attribute, value }: Query): ActionDone {
  if (value === undefined) element.removeAttribute(attribute);
  else element.setAttribute(attribute, value);
  return {};
}

function focusOn(found: Found, _: Query, selector: string): ActionDone {
  requireReachable(found, selector);
  bringIntoSight(found);
  const near = focusable(found.element);
  const element = near === found.element ? near : (onlyFocusableIn(found.element) ?? near);
  giveFocus(element ?? refuseKind(selector, 'focus', 'Nothing there takes the focus.'));
  return {};
}

function scrollTo(found: Found): ActionDone {
  nodes.scrollIntoView(found.element, { block: 'center', inline: 'nearest', behavior: 'instant' });
  return {};
}

/** Give a field the focus; some pages put another element into its place then. */
function focusOrFail(element: Element, selector: string) {
  giveFocus(element);
  if (nodes.isConnected(element)) return;
  fail(
    'element_detached',
    `${JSON.stringify(clip(selector, 200))} went away when it got the focus; nothing was entered.`,
    {
      details: { selector: clip(selector, 500) },
      recovery: 'Look what the page has put in its place, with query_dom or interact(action:"list_interactive").',
    },
  );
}
