// Reads the names of keys, and does what Chrome would do for a key that a script presses; it must press none itself.
//
// Names as https://www.w3.org/TR/uievents-key/ has them; codes as https://www.w3.org/TR/uievents-code/.

import { fail } from '../dom/faults.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';
import { isEditable } from './field_kinds.ts';
import { edit, write } from './field_values.ts';

/** Keys that write nothing, with their legacy numbers. */
const NAMED_KEYS: Record<string, { code: string; number: number }> = {
  Enter: { code: 'Enter', number: 13 },
  Tab: { code: 'Tab', number: 9 },
  Escape: { code: 'Escape', number: 27 },
  Backspace: { code: 'Backspace', number: 8 },
  Delete: { code: 'Delete', number: 46 },
  ArrowUp: { code: 'ArrowUp', number: 38 },
  ArrowDown: { code: 'ArrowDown', number: 40 },
  ArrowLeft: { code: 'ArrowLeft', number: 37 },
  ArrowRight: { code: 'ArrowRight', number: 39 },
  Home: { code: 'Home', number: 36 },
  End: { code: 'End', number: 35 },
  PageUp: { code: 'PageUp', number: 33 },
  PageDown: { code: 'PageDown', number: 34 },
};
for (let number = 1; number <= 12; number++) NAMED_KEYS[`F${number}`] = { code: `F${number}`, number: 111 + number };

const MODIFIERS: Record<string, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'> = {
  Control: 'ctrlKey',
  Ctrl: 'ctrlKey',
  Shift: 'shiftKey',
  Alt: 'altKey',
  Meta: 'metaKey',
  Command: 'metaKey',
};

type Press = {
  key: string;
  code: string;
  keyCode: number;
  which: number;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
};

/** Read `Enter`, `a`, `Control+Shift+k`. */
export function pressOf(combination: string): Press {
  const parts = combination === '+' ? ['+'] : combination.split('+');
  const name = parts.pop() || '+';
  const held = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  for (const part of parts) {
    if (!Object.hasOwn(MODIFIERS, part)) return unknownKey(combination);
    held[MODIFIERS[part] as keyof typeof held] = true;
  }
  const key = name === 'Space' ? ' ' : name === 'Esc' ? 'Escape' : name === 'Return' ? 'Enter' : name;
  if (Object.hasOwn(NAMED_KEYS, key)) {
    const { code, number } = NAMED_KEYS[key] as { code: string; number: number };
    return { key, code, keyCode: number, which: number, ...held };
  }
  if ([...key].length !== 1) return unknownKey(combination);
  const number = key.toUpperCase().charCodeAt(0);
  return { key, code: codeOf(key), keyCode: number, which: number, ...held };
}

function codeOf(key: string) {
  if (/[a-z]/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/\d/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : '';
}

function unknownKey(combination: string): never {
  const names = Object.keys(NAMED_KEYS).slice(0, 13).join(', ');
  return fail('unknown_key', `There is no key ${JSON.stringify(clip(combination, 80))}.`, {
    details: { parameter: 'key', value: clip(combination, 80) },
    recovery: `A key is one character, Space, F1 to F12, or one of ${names}; with Control+, Shift+, Alt+ or Meta+ before it.`,
  });
}

/** Do what a key does of itself, if the page has not prevented it: a script's event has no default action. */
export function actOnKey({ key, ctrlKey, altKey, metaKey }: Press, target: Element) {
  if (ctrlKey || altKey || metaKey) return;
  if (key === 'Enter') return void enter(target);
  if (
    key === ' ' &&
    nodes.matches(
      target,
      'button, summary, input[type="checkbox"], input[type="radio"], input[type="button"], input[type="submit"]',
    )
  ) {
    return void (target as HTMLElement).click();
  }
  if (isHtml(target, 'input') && (target as HTMLInputElement).type === 'range')
    return slideBy(key, target as HTMLInputElement);
  if (!isEditable(target)) return;
  const command =
    key === 'Backspace' ? 'delete' : key === 'Delete' ? 'forwardDelete' : [...key].length === 1 ? 'insertText' : '';
  if (command) edit(target, command, key);
}

function slideBy(key: string, slider: HTMLInputElement) {
  const { value } = slider;
  if (key === 'ArrowRight' || key === 'ArrowUp') slider.stepUp();
  else if (key === 'ArrowLeft' || key === 'ArrowDown') slider.stepDown();
  else if (key === 'Home') slider.value = slider.min || '0';
  else if (key === 'End') slider.value = slider.max || '100';
  const now = slider.value;
  if (now === value) return;
  slider.value = value;
  write(slider, now, now);
}

function enter(target: Element) {
  if (nodes.matches(target, 'a[href], button, summary')) return void (target as HTMLElement).click();
  if (isHtml(target, 'textarea') || (target as HTMLElement).isContentEditable) {
    return edit(target, isHtml(target, 'textarea') ? 'insertLineBreak' : 'insertParagraph', '\n');
  }
  const { form } = target as HTMLInputElement;
  if (!isHtml(target, 'input') || !form) return;
  const button = form.querySelector('button:not([type]), [type="submit"], [type="image"]') as HTMLElement | null;
  if (button)
    button.click(); // as Chrome does: the page may listen to the click
  else form.requestSubmit();
}
