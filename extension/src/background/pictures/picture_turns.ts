// Gives pictures their turn, one at a time: Chrome refuses the third capture within a second.

import { aborted } from '../../shared/aborted.ts';

/** `chrome.tabs.MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND`, and a little more than that second. */
const CALLS = 2;
export const PERIOD_MS = 1_050;

type Clock = { now: () => number; sleep: (ms: number) => Promise<unknown> };

export class PictureTurns {
  #last: Promise<unknown> = Promise.resolve();
  /** When the last captures began. */
  #times: number[] = [];
  #clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Run work after all that came before it; one whose caller has gone is left out, and holds up nobody: a page that hangs
   * at a dialog answers nothing.
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const turn = (async () => {
      await before;
      signal.throwIfAborted();
      return work();
    })();
    const done = Promise.race([turn, aborted(signal)]);
    this.#last = Promise.allSettled([before, done]);
    return done;
  }

  /** Wait until Chrome takes another capture. */
  async pace(): Promise<void> {
    const { now, sleep } = this.#clock;
    const oldest = this.#times.at(-CALLS);
    const waitMs = oldest === undefined ? 0 : oldest + PERIOD_MS - now();
    if (waitMs > 0) await sleep(waitMs);
    this.#times = [...this.#times.slice(1 - CALLS), now()];
  }
}
