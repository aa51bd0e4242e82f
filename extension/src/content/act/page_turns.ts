// Lets the page do between two events of one action what it does between two of a person's.
//
// What a page puts off to the end of an event, as React and Vue do with all drawing, waits until no script runs any more. Of
// events that one script sends, the second would be taken by what the page was before the first.

/** Rounds of microtasks: frameworks draw in the first few what an event has changed. */
const ROUNDS = 10;

/** Give the page its turn. */
export async function pageTurn() {
  for (let left = ROUNDS; left > 0; left--) await null;
}

let channel: MessageChannel | undefined;

/** Wait for the next task of the thread, after those that wait already; it is no timer, of which each waits longer. */
export function pageTask(): Promise<unknown> {
  channel ??= new MessageChannel();
  const { port1, port2 } = channel;
  return new Promise((done) => {
    port1.addEventListener('message', done, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}
