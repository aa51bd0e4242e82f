// Translates a key into the two events of the debugger's protocol, down and up.

/** A key as content/act/keys.ts parses it. */
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

/** Give the parameters of two calls of Input.dispatchKeyEvent. */
export function keyEventsOf(press: Press): object[] {
  const { code, keyCode } = press;
  const key = press.shiftKey && press.key.length === 1 ? press.key.toUpperCase() : press.key;
  const event = { key, code, windowsVirtualKeyCode: keyCode, modifiers: modifiersOf(press) };
  const text = textOf(press, key);
  return [
    { type: text ? 'keyDown' : 'rawKeyDown', ...event, ...(text && { text }) },
    { type: 'keyUp', ...event },
  ];
}

export function modifiersOf(press: Partial<Press>): number {
  const names = Object.keys(MODIFIERS) as (keyof typeof MODIFIERS)[];
  return names.reduce((sum, name) => sum + (press[name] ? MODIFIERS[name] : 0), 0);
}

/** The text that the key enters. */
function textOf({ ctrlKey, altKey, metaKey }: Press, key: string): string {
  if (ctrlKey || altKey || metaKey) return '';
  if (key === 'Enter') return '\r';
  return [...key].length === 1 ? key : '';
}
