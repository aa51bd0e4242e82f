// Captures the steps of the user and of an assistant in this frame, so that a test can do them again; no secret is recorded.

import type { Recorded, StepEvent, Target } from '../../shared/events.ts';
import { CLICKABLE, ENTRIES } from '../dom/labels.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { frame } from '../frame.ts';
import { entryOf } from './entries.ts';
import { targetOf } from './locators.ts';
import { prolongWatch, watchResults } from './step_results.ts';

/** So long after a key what is clicked without a pointer is clicked by the key. */
const KEY_MS = 1_000;

/** So soon after its click a box is ticked. */
const CLICK_MS = 100;

/** Keys that only change the text of the field they are pressed in: its value is recorded when it is complete. */
const EDITING = /^((Control|Meta|Shift|Alt)\+)*(Backspace|Delete|Home|End|Arrow(Left|Right)|[a-z])$/i;

/** Fields that are typed into. */
const TYPED = 'input, textarea, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]';

/** The field that the user has typed into since its value was recorded, and since when. */
let typing: { field: Element; since: number; done: ReturnType<typeof begin> } | undefined;

let keyedAt = -KEY_MS;

/** What the user has clicked last: a box that a script ticks has an event of change of the browser's own. */
let clicked: { element: Element; at: number } | undefined;

/** Characters were typed outside of a field since the last step. */
let loose = false;

/** An assistant acts: what a script's click changes comes as an event of the browser's own. */
let isActing = false;

/** Describe where a step goes; a page may be such that this fails, and the step is recorded all the same. */
function placeOf(element: Element | null): Target {
  try {
    return element ? targetOf(element) : {};
  } catch {
    return {};
  }
}

/** Begin a step and watch the page from now on. Return what captures it, once it is done. */
function begin(element: Element | null): (by: StepEvent['by'], step: Recorded) => void {
  const ts = performance.timeOrigin + performance.now();
  const target = placeOf(element);
  watchResults(ts, element);
  return (by, step) => {
    frame.relay?.capture({ type: 'step', ts, by, ...step, ...target });
    loose = false;
  };
}

function record(step: Recorded, element: Element | null) {
  if (isActing) return;
  begin(element)('user', step);
}

/** Let the scripts that act in this frame record what an assistant does. */
export function startRecorder() {
  frame.beginStep = (element) => {
    finishTyping();
    const done = begin(element);
    isActing = true;
    queueMicrotask(() => {
      isActing = false;
    });
    return (step) => done('assistant', step);
  };
}

/** The user has clicked. */
export function recordClick(event: MouseEvent, hit: Element) {
  const { detail, button, ctrlKey, altKey, metaKey, shiftKey } = event;
  const isRepeated = isOfLabel(hit);
  clicked = { element: hit, at: performance.now() };
  if (isRepeated) return;
  if (detail === 0 && performance.now() - keyedAt < KEY_MS) return; // by the key that is recorded
  const held = [ctrlKey && 'Control', altKey && 'Alt', metaKey && 'Meta', shiftKey && 'Shift']
    .filter(Boolean)
    .join('+');
  const element = nodes.closest(hit, CLICKABLE) ?? hit;
  const more = { ...(detail > 1 && { count: detail }), ...(held && { modifiers: held }) };
  const pressed = ['left', 'middle', 'right'][button] ?? 'left';
  const kind = isHtml(element, 'select') || isHtml(element, 'option') ? { field: 'select' as const } : {};
  record({ act: 'click', ...kind, ...more, ...(button > 0 && { button: pressed }) }, element);
}

/** The user types into a field. */
export function noteTyping(field: Element) {
  if (isActing || !nodes.matches(field, TYPED) || !isText(field)) return;
  if (typing?.field !== field) finishTyping();
  if (typing) prolongWatch();
  typing ??= { field, since: performance.now(), done: begin(field) };
}

/** Record what was typed into a field, if that has not been recorded. */
export function finishTyping() {
  if (!typing) return;
  const { field, since, done } = typing;
  typing = undefined;
  const entry = entryOf(field); // it may have gone with what was typed
  if (entry) done('user', { ...entry, typed_ms: Math.ceil(performance.now() - since) });
}

/** The user has changed a field: what was typed is recorded once. */
export function recordChange(field: Element) {
  if (typing?.field === field) return finishTyping();
  if (nodes.matches(field, TYPED) && isText(field)) return; // its text was recorded at a key, or a script has put it there
  const entry = entryOf(field);
  if (!entry || (entry.field === 'check' && !wasClicked(field))) return;
  record(entry, field);
}

/** Whether a click is the one that Chrome makes of a click on the field's label. */
function isOfLabel(hit: Element): boolean {
  const label = clicked && performance.now() - clicked.at < CLICK_MS ? nodes.closest(clicked.element, 'label') : null;
  return label !== null && (label as HTMLLabelElement).control === hit;
}

function wasClicked(field: Element): boolean {
  return clicked?.element === field && performance.now() - clicked.at < CLICK_MS;
}

function isText(field: Element): boolean {
  return (
    !isHtml(field, 'input') || /^(text|search|tel|url|email|password|number)$/.test((field as HTMLInputElement).type)
  );
}

/** The user has pressed a key that is no character. */
export function recordKey(key: string, element: Element) {
  if (nodes.matches(element, ENTRIES) && EDITING.test(key)) return;
  finishTyping();
  keyedAt = performance.now();
  record({ act: 'key_press', pressed: key }, element);
}

/** The user has typed a character where no field takes it. */
export function noteLooseCharacter(element: Element) {
  if (loose || nodes.matches(element, ENTRIES) || (element as HTMLElement).isContentEditable) return;
  record({ act: 'characters' }, null);
  loose = true;
}
