// Reads the names of keys: a combination, as `Control+Shift+k`.
//
// Names as https://www.w3.org/TR/uievents-key/ has them; codes as https://www.w3.org/TR/uievents-code/.

import { fail } from '../dom/faults.ts';
import { clip } from '../dom/text.ts';

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

export type Press = {
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
  const { code, number } = placeOf(key);
  const shiftKey = held.shiftKey || (parts.length ? false : isShifted(key));
  return { key, code, keyCode: number, which: number, ...held, shiftKey };
}

/** The signs beside letters and digits, by their key on a US keyboard, with its legacy number. */
const SIGNS: [signs: string, code: string, number: number][] = [
  [';:', 'Semicolon', 186],
  ['=+', 'Equal', 187],
  [',<', 'Comma', 188],
  ['-_', 'Minus', 189],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
  ['`~', 'Backquote', 192],
  ['[{', 'BracketLeft', 219],
  ['\\|', 'Backslash', 220],
  [']}', 'BracketRight', 221],
  [`'"`, 'Quote', 222],
  [' ', 'Space', 32],
];
const ON_DIGITS = ')!@#$%^&*(';

/** Return where a character is on a US keyboard, by which many pages know a key. */
function placeOf(key: string): { code: string; number: number } {
  const upper = key.toUpperCase();
  const number = upper.charCodeAt(0);
  if (/^[a-z]$/i.test(key)) return { code: `Key${upper}`, number };
  const digit = /^\d$/.test(key) ? Number(key) : ON_DIGITS.indexOf(key);
  if (digit >= 0) return { code: `Digit${digit}`, number: 48 + digit };
  const [, code, legacy] = SIGNS.find(([signs]) => signs.includes(key)) ?? [];
  return { code: code ?? '', number: legacy ?? number };
}

/** Whether a character takes the Shift key on a US keyboard; a keypad has + and * without it. */
function isShifted(key: string): boolean {
  if ('+*'.includes(key)) return false;
  return key !== key.toLowerCase() || ON_DIGITS.includes(key) || SIGNS.some(([signs]) => signs[1] === key);
}

function unknownKey(combination: string): never {
  const names = Object.keys(NAMED_KEYS).slice(0, 13).join(', ');
  return fail('unknown_key', `There is no key ${JSON.stringify(clip(combination, 80))}.`, {
    details: { parameter: 'key', value: clip(combination, 80) },
    recovery: `A key is one character, Space, F1 to F12, or one of ${names}; with Control+, Shift+, Alt+ or Meta+ before it.`,
  });
}
