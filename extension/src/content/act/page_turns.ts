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

/** A message to ourselves is a task that no page can delay or cancel, as it can a timer. */
const tasks = new MessageChannel();

/**
 * Wait for the next task of the page, after those that wait already; true if the page is left first: then none comes, and
 * what was done until then must still be stated.
 */
export function pageTask(): Promise<boolean> {
  return new Promise((done) => {
    const settle = (left: boolean) => {
      removeEventListener('pagehide', leave, { capture: true });
      tasks.port2.removeEventListener('message', come);
      done(left);
    };
    const leave = ({ isTrusted }: Event) => isTrusted && settle(true);
    const come = () => settle(false);
    addEventListener('pagehide', leave, { capture: true });
    tasks.port2.addEventListener('message', come);
    tasks.port2.start();
    tasks.port1.postMessage(null);
  });
}
