// Captures what the user did in this frame; nothing that a script or an assistant did, no character that was typed, no sensitive value.

import { isSensitive, valueOf, watchField, watchTypes } from '../dom/fields.ts';
import { CLICKABLE, ENTRIES, labelOf } from '../dom/labels.ts';
import { nameOf } from '../dom/naming.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import {
  finishTyping,
  noteLooseCharacter,
  noteTyping,
  recordChange,
  recordClick,
  recordKey,
} from '../record/recorder.ts';
import { capture } from './capture_event.ts';
import { listenAlways } from './persistent_listeners.ts';
import { isOwnInput } from './synthetic_input.ts';

/** Keys that only change what others mean, or are part of a character. */
const SILENT_KEYS = ['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'];

/** What does not leave a shadow root at all, or not if the focus moves within it. */
const INNER_ACTIONS = ['change', 'submit', 'scrollend', 'focusin', 'focusout'];

/** The editable element that was typed into since it has the focus. */
let edited: Element | null = null;

/** Where the last key was pressed. */
let keyed: { element: Element; place: { selector: string; tag: string } } | null = null;

/** Return what it hit of the page, and nothing of ours; the host of a closed root. */
function hitBy(event: Event): Element | null {
  const [first] = event.composedPath();
  return first instanceof Element && !isOurs(first) ? first : null;
}

function placeOfAction(element: Element) {
  return { selector: nameOf(element), tag: nodes.tag(element) };
}

function clicked(event: MouseEvent) {
  const hit = hitBy(event);
  if (!hit) return;
  finishTyping();
  recordClick(event, hit);
  const target = nodes.closest(hit, CLICKABLE) ?? hit;
  const text = labelOf(target);
  const [x, y] = [Math.round(event.clientX), Math.round(event.clientY)];
  capture({ type: 'action', action: 'click', ...placeOfAction(target), ...(text && { text }), x, y });
}

function pressedOtherwise(event: MouseEvent) {
  const hit = hitBy(event);
  if (hit) recordClick(event, hit);
}

function changed(event: Event) {
  const field = hitBy(event);
  if (!field) return;
  recordChange(field);
  entered(field);
}

function entered(field: Element) {
  const value = isSensitive(field) ? {} : { value: valueOf(field) };
  capture({ type: 'action', action: 'input', ...placeOfAction(field), ...value });
}

function typed(event: Event) {
  const field = hitBy(event);
  if (field) noteTyping(field);
  if (field instanceof HTMLElement && field.isContentEditable) edited = field;
}

/** Capture what was typed into an editable element when it is left: it has no change event of its own. */
function left() {
  if (edited) {
    recordChange(edited);
    entered(edited);
  }
  edited = keyed = null;
}

function pressed(event: KeyboardEvent) {
  const { key, repeat, ctrlKey, altKey, metaKey, shiftKey, isComposing, keyCode } = event;
  if (isComposing || keyCode === 229) return; // of an input method: it confirms what is composed
  const element = hitBy(event);
  if (!element || repeat || !key || SILENT_KEYS.includes(key)) return;
  if ([...key].length === 1 && (isTyping(event, element) || isSensitive(element))) return noteLooseCharacter(element);
  const held = [ctrlKey && 'Control', altKey && 'Alt', metaKey && 'Meta', shiftKey && 'Shift'].filter(Boolean);
  const combination = [...held, key].join('+');
  recordKey(combination, element);
  capture({ type: 'action', action: 'key', ...placeOfKey(element), key: combination });
}

/** Whether a key of one character writes it. Alt does on a Mac, and Control with Alt is AltGr on Windows. */
function isTyping(event: KeyboardEvent, element: Element): boolean {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (!(ctrlKey || altKey || metaKey) || event.getModifierState('AltGraph')) return true;
  if (metaKey || !altKey) return false;
  return ctrlKey
    ? !/[a-z0-9]/i.test(key)
    : nodes.matches(element, ENTRIES) || (element as HTMLElement).isContentEditable;
}

/** Name where a key was pressed, once for all keys that follow each other there. */
function placeOfKey(element: Element) {
  if (keyed?.element !== element) keyed = { element, place: placeOfAction(element) };
  return keyed.place;
}

function scrolled(event: Event) {
  const page = event.target === document;
  const scroller = page ? document.scrollingElement : hitBy(event);
  if (!scroller) return;
  const [x, y] = [Math.round(scroller.scrollLeft), Math.round(scroller.scrollTop)];
  capture({ type: 'action', action: 'scroll', selector: page ? 'html' : nameOf(scroller), x, y });
}

function submitted(event: Event) {
  const form = hitBy(event);
  if (form) capture({ type: 'action', action: 'submit', ...placeOfAction(form) });
}

function noticed(event: Event) {
  const field = hitBy(event);
  if (field) watchField(field);
}

function focused(event: Event) {
  const field = hitBy(event);
  if (field) isSensitive(field); // it is checked with its labels once, before anything is typed
}

/** Listen in every open shadow root that an event came through, for what does not come out. */
function met(event: Event) {
  for (const root of event.composedPath()) {
    if (!(root instanceof ShadowRoot)) continue;
    watchTypes(root);
    for (const type of INNER_ACTIONS) root.addEventListener(type, captureAction, { capture: true, passive: true });
  }
}

const userActions: Record<string, ((event: any) => void)[]> = {
  pointerdown: [met],
  wheel: [met],
  focusin: [met, focused],
  beforeinput: [noticed],
  click: [clicked],
  auxclick: [pressedOtherwise],
  change: [changed],
  input: [noticed, typed],
  focusout: [left],
  keydown: [met, noticed, pressed],
  scrollend: [scrolled],
  submit: [submitted],
};

/** Whether the event is for this listener: what a slot shows goes through the slot's root and its own. */
function isOwn({ currentTarget, composed, isTrusted, target }: Event): boolean {
  if (currentTarget === window) return isTrusted;
  return isTrusted && (composed || nodes.root(target as Node) === currentTarget);
}

function captureAction(event: Event) {
  if (!isOwn(event) || isOwnInput()) return;
  for (const handle of userActions[event.type] ?? []) handle(event);
}

export function startUserActions() {
  for (const type of Object.keys(userActions)) listenAlways(type, captureAction, { capture: true, passive: true });
}
