// Enters text in code editors (Monaco, CodeMirror, Ace), which keep a model of their own and draw a part of it; it must not wait.
//
// What is seen of them takes no text: a hidden field or an edit context does. All of them take what is pasted, and give
// what is selected to a copy. Both events have a DataTransfer of our own: the user's clipboard is neither read nor written.

import { EDITORS } from '../dom/code_editors.ts';
import { fail } from '../dom/faults.ts';
import { nodes } from '../dom/nodes.ts';
import { clip, excerpt, sentValue } from '../dom/text.ts';
import type { ActionDone } from './action_types.ts';
import { contextOf, isEditable, isText } from './field_kinds.ts';
import { edit } from './field_values.ts';
import { doKeyDefault } from './key_defaults.ts';
import { keyOf, pressOn } from './key_events.ts';
import { pressOf } from './keys.ts';
import { focused, giveFocus } from './page_focus.ts';

/** Characters of the text that a reply repeats. */
const SHOWN = 60;

/** Return what takes the keys of the editor that the element is, stands in, or holds alone; undefined for a field in one. */
export function editorInput(element: Element): HTMLElement | undefined {
  for (const [css, input] of Object.entries(EDITORS)) {
    const around = nodes.closest(element, css);
    const inside = around ? [] : [...nodes.within(element, css)];
    const root = around ?? (inside.length === 1 ? inside[0] : undefined);
    if (!root) continue;
    const [taker] = nodes.within(root, input);
    const isOther = taker !== element && isEditable(element); // its search, for example
    if (taker && !isOther) return taker as HTMLElement;
  }
  return undefined;
}

export function isInEditor(element: Element): boolean {
  return Object.keys(EDITORS).some((css) => nodes.closest(element, css));
}

/** Put a text in the place of what the editor holds, or at its end. */
export function typeInEditor(input: HTMLElement, text: string, clear: boolean, selector: string): ActionDone {
  const check = selectInEditor(input, text, clear, selector);
  if (!text) pressKey(input, 'Delete');
  else send(input, 'paste', text);
  return { check };
}

/** Type into an editor key by key: it may indent, and close brackets. Only one with an edit context takes keys. */
export function typeKeysInEditor(input: HTMLElement, text: string, clear: boolean, selector: string): ActionDone {
  if (!contextOf(input)) return refuseKeys(selector);
  giveFocus(input);
  if (clear && readEditor(input)) pressKey(input, 'Delete');
  else pressKey(input, isMac() ? 'Meta+ArrowDown' : 'Control+End');
  const before = readEditor(input);
  pressKey(input, isMac() ? 'Meta+ArrowDown' : 'Control+End');
  for (const character of text) typeCharacter(focused() ?? input, character);
  return { check: () => keysTaken(input, before, text, selector) };
}

function typeCharacter(target: Element, character: string) {
  const press = keyOf(character);
  const write = () =>
    character === '\n' ? void doKeyDefault(pressOf('Enter'), target) : edit(target, 'insertText', character);
  if (press) pressOn(target, press, write);
  else write();
}

function keysTaken(input: HTMLElement, before: string | undefined, text: string, selector: string): object {
  const now = readEditor(input);
  pressKey(input, isMac() ? 'Meta+ArrowDown' : 'Control+End');
  if (now !== undefined && holdsInOrder(squeezed(now), squeezed(text))) return { value: sentValue(now) };
  return now === before ? notTaken(selector, now) : notKept(selector, now);
}

function holdsInOrder(text: string, characters: string): boolean {
  let at = 0;
  for (const character of text) if (character === characters[at]) at++;
  return at >= characters.length;
}

/** Select what the text is to replace, and return the check whether the editor has it. */
export function selectInEditor(input: HTMLElement, text: string, clear: boolean, selector: string): () => object {
  giveFocus(input);
  const before = readEditor(input);
  if (!clear) pressKey(input, isMac() ? 'Meta+ArrowDown' : 'Control+End');
  return () => held(input, before, text, clear, selector);
}

/** Fail for keys, which a script cannot have every such editor take one by one. */
function refuseKeys(selector: string): never {
  return fail(
    'needs_trusted',
    `${JSON.stringify(clip(selector, 200))} is an editor, which takes no keys from a script.`,
    {
      details: { selector: clip(selector, 500) },
      recovery: 'Call again with trusted:true, or enter the text at once: type, without keys.',
    },
  );
}

function held(input: HTMLElement, before: string | undefined, text: string, clear: boolean, selector: string): object {
  const now = readEditor(input);
  pressKey(input, isMac() ? 'Meta+ArrowDown' : 'Control+End'); // nothing stays selected
  const [plain, wanted] = [squeezed(now ?? ''), squeezed(text)];
  if (now !== undefined && (clear ? plain === wanted : plain.endsWith(wanted))) return { value: sentValue(now) };
  return now === undefined || now === before ? notTaken(selector, now) : notKept(selector, now);
}

function notTaken(selector: string, now: string | undefined): never {
  const name = JSON.stringify(clip(selector, 200));
  return fail('needs_trusted', `${name} is an editor that did not take the text from a script; it may be read-only.`, {
    details: { selector: clip(selector, 500), value: excerpt(now ?? '', SHOWN) },
    recovery: 'Call again with trusted:true.',
  });
}

function notKept(selector: string, now: string | undefined): never {
  const value = excerpt(now ?? '', SHOWN);
  const name = JSON.stringify(clip(selector, 200));
  return fail('input_rejected', `${name} did not keep the text: it holds ${JSON.stringify(value)}.`, {
    details: { selector: clip(selector, 500), value },
  });
}

/** Select all, and return it; undefined where the editor gives nothing. */
function readEditor(input: HTMLElement): string | undefined {
  pressKey(input, isMac() ? 'Meta+a' : 'Control+a');
  const { data, taken } = send(input, 'copy');
  const text = data.getData('text/plain');
  if (taken || text) return text;
  return isText(input) ? (input as HTMLTextAreaElement).value : undefined; // CodeMirror 5 puts it there, for Chrome to copy
}

function send(input: HTMLElement, type: 'copy' | 'paste', text: string = '') {
  const data = new DataTransfer();
  if (text) data.setData('text/plain', text);
  const init = { bubbles: true, cancelable: true, composed: true, clipboardData: data };
  return { data, taken: !input.dispatchEvent(new ClipboardEvent(type, init)) };
}

function pressKey(input: HTMLElement, combination: string) {
  const press = pressOf(combination);
  pressOn(input, press, () => doKeyDefault(press, input));
}

function squeezed(text: string): string {
  return text.replace(/[\s\u200B]+/g, '');
}

function isMac(): boolean {
  return navigator.userAgent.includes('Mac OS');
}
