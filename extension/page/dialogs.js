// Tells of the page's dialogs, right before one opens and once it is closed; it must open, answer and change none.
//
// The native function waits for an answer, and the page with it: what is said before is heard by the content script at
// once, which lets the page wait for a moment if an assistant's act is under way (content/dialogs.js).

'use strict';

{
  const parts = /** @type {Parts} */ (Reflect.get(globalThis, Symbol.for('gasoline')));
  const { apply, nth, slice } = parts.natives;
  const { emit } = parts.channel;

  /** The most characters of a dialog that are told. */
  const TEXT = 500;

  /** @type {(given: any) => string}  an object is not made text: that could run code of the page, a second time */
  const textOf = (given) => {
    const readable = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' || typeof given === 'bigint' || given === null;
    return readable ? slice(`${given}`, 0, TEXT) : '';
  };

  /** @type {(type: string) => void} */
  const watch = (type) => {
    parts.wrap(globalThis, type, function trap(target, self, args) {
      emit({ __proto__: null, is: 'opening', type, message: textOf(nth(args, 0)), default_prompt: textOf(nth(args, 1)) }, 'd');
      try {
        return apply(target, self, args);
      } finally {
        emit({ __proto__: null, is: 'closed' }, 'd');
      }
    });
  };

  for (const type of ['alert', 'confirm', 'prompt']) watch(type);
}
