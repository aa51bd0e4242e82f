// Keeps a key down that the page has not answered; it must not choose where the key goes.
//
// Some pages look later which keys are down, in the next task or frame: React Flow, games.

import type { Fault } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { currentObservation, lastChange } from './observer.ts';
import { beginSteps, type Step, type Stepped } from './stepped.ts';

/** How long it stays down, some frames: a person's does so longer. */
const HELD_MS = 50;
const LOOK_MS = 10;

/** Keep a key down until `release` is called, which is once the page changes, or the time is over. */
export function holdKey(release: () => void): ActionDone {
  return beginSteps(new HeldKey(currentObservation?.id, release));
}

class HeldKey implements Stepped {
  readonly id;
  readonly #release;
  readonly #since = performance.now();
  readonly #changed = lastChange();

  constructor(id: string | undefined, release: () => void) {
    this.id = id;
    this.#release = release;
  }

  step(): Step {
    if (lastChange() === this.#changed && performance.now() - this.#since < HELD_MS)
      return { left: 1, waitMs: LOOK_MS };
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
