// Puts a key into the words of the debugger's protocol, going down and up; it must press none.

/** A key as content/keys.js reads it. */
export type Press = {
  key: string;
  code: string;
  keyCode: number;
  ctrlKey?: boolean;
  shiftKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
};

/** The bits of `modifiers` (https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent). */
const MODIFIERS = { altKey: 1, ctrlKey: 2, metaKey: 4, shiftKey: 8 } as const;

/** Returns the parameters of two Input.dispatchKeyEvent */
export function strokesOf(press: Press): object[] {
  const { code, keyCode } = press;
  const key = press.shiftKey && press.key.length === 1 ? press.key.toUpperCase() : press.key;
  const stroke = { key, code, windowsVirtualKeyCode: keyCode, modifiers: modifiersOf(press) };
  const text = textOf(press, key);
  return [
    { type: text ? 'keyDown' : 'rawKeyDown', ...stroke, ...(text && { text }) },
    { type: 'keyUp', ...stroke },
  ];
}

function modifiersOf(press: Press) {
  const names = Object.keys(MODIFIERS) as (keyof typeof MODIFIERS)[];
  return names.reduce((sum, name) => sum + (press[name] ? MODIFIERS[name] : 0), 0);
}

/** Returns what the key writes */
function textOf({ ctrlKey, altKey, metaKey }: Press, key: string): string {
  if (ctrlKey || altKey || metaKey) return '';
  if (key === 'Enter') return '\r';
  return [...key].length === 1 ? key : '';
}
