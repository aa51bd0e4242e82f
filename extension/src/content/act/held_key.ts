// Keeps a key down that has not changed the page yet; it must not choose where the key goes.
//
// Some pages look later which keys are down, in the next task or frame: React Flow, games.

import type { Fault } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { currentObservation, lastChange } from './observer.ts';
import { beginSteps, type Step, type Stepped } from './stepped.ts';

/** How long it stays down, some frames: a person's does so longer. */
const HELD_MS = 50;
const LOOK_MS = 10;

/**
 * Keep a key down until `release` is called, which is once the page has changed, or the time is over. `before`: the time of
 * its last change before the key, as `lastChange` returns it.
 */
export function holdKey(before: number, release: () => void): ActionDone {
  return beginSteps(new HeldKey(currentObservation?.id, before, release));
}

class HeldKey implements Stepped {
  readonly id;
  readonly #release;
  readonly #since = performance.now();
  readonly #before;

  constructor(id: string | undefined, before: number, release: () => void) {
    this.id = id;
    this.#before = before;
    this.#release = release;
  }

  step(): Step {
    if (lastChange() === this.#before && performance.now() - this.#since < HELD_MS) return { left: 1, waitMs: LOOK_MS };
    this.#release();
    return { left: 0 };
  }

  unfinished(): Fault {
    return { code: 'input_rejected', message: 'The key is still down.' };
  }

  giveUp() {
    this.#release();
  }

  kept(): object {
    return {};
  }
}
