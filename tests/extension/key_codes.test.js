import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyEventsOf } from '../../extension/src/background/interact/key_codes.ts';

const CASES = [
  [
    'a character is written',
    { key: 'a', code: 'KeyA', keyCode: 65 },
    { type: 'keyDown', key: 'a', text: 'a', modifiers: 0 },
  ],
  [
    'with Shift it is a capital',
    { key: 'a', code: 'KeyA', keyCode: 65, shiftKey: true },
    { type: 'keyDown', key: 'A', text: 'A', modifiers: 8 },
  ],
  [
    'with Control it writes nothing',
    { key: 'a', code: 'KeyA', keyCode: 65, ctrlKey: true },
    { type: 'rawKeyDown', key: 'a', text: undefined, modifiers: 2 },
  ],
  [
    'modifiers add up',
    { key: 'k', code: 'KeyK', keyCode: 75, altKey: true, metaKey: true },
    { type: 'rawKeyDown', key: 'k', text: undefined, modifiers: 5 },
  ],
  [
    'Enter writes the end of a line',
    { key: 'Enter', code: 'Enter', keyCode: 13 },
    { type: 'keyDown', key: 'Enter', text: '\r', modifiers: 0 },
  ],
  [
    'Backspace writes nothing',
    { key: 'Backspace', code: 'Backspace', keyCode: 8 },
    { type: 'rawKeyDown', key: 'Backspace', text: undefined, modifiers: 0 },
  ],
  [
    'a character of two units is one',
    { key: '\u{1F600}', code: '', keyCode: 0 },
    { type: 'keyDown', key: '\u{1F600}', text: '\u{1F600}', modifiers: 0 },
  ],
];

for (const [name, press, expected] of CASES) {
  test(name, () => {
    const [down, up] = keyEventsOf(press);

    assert.deepEqual({ type: down.type, key: down.key, text: down.text, modifiers: down.modifiers }, expected);
    assert.deepEqual(
      [up.type, up.key, up.windowsVirtualKeyCode, up.text],
      ['keyUp', expected.key, press.keyCode, undefined],
    );
  });
}
