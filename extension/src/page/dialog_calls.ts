// Reports the page's dialogs, right before one opens and once it is closed; it must open, answer and change none.
//
// The native function waits for an answer, and the page with it: the content script gets the report at once, and lets the
// page wait for a moment if an assistant's action is under way (content/capture/dialog_watch.ts).

import { channel, wrap } from './channel.ts';
import { natives } from './natives.ts';

const { apply, nth, slice } = natives;
const { emit } = channel;

/** The most characters of a dialog that are reported. */
const TEXT = 500;

/** An object is not made text: that could run code of the page, a second time. */
const textOf: (input: any) => string = (input) => {
  const readable =
    typeof input === 'string' ||
    typeof input === 'number' ||
    typeof input === 'boolean' ||
    typeof input === 'bigint' ||
    input === null;
  return readable ? slice(`${input}`, 0, TEXT) : '';
};

const answerOf: (result: any) => any = (result) =>
  typeof result === 'string' ? slice(result, 0, TEXT) : result === true;

const watch: (type: string) => void = (type) => {
  wrap(globalThis, type, function trap(target, self, args) {
    const message = type === 'print' ? '' : textOf(nth(args, 0));
    emit({ __proto__: null, is: 'opening', type, message, default_prompt: textOf(nth(args, 1)) }, 'd');
    let result: any;
    try {
      result = apply(target, self, args);
      return result;
    } finally {
      emit({ __proto__: null, is: 'closed', type, message, result: answerOf(result) }, 'd');
    }
  });
};

for (const type of ['alert', 'confirm', 'prompt', 'print']) watch(type);
