// Reports the user's settings and the tab in front to the server, as an event of the kind `state`.

import type { StateEvent } from '../../shared/events.ts';
import type { Values } from '../../shared/settings.ts';

export interface Dependencies {
  settings: () => Promise<Values>;
  front: () => Promise<{ id: number } | undefined>;
  report: (event: StateEvent) => unknown;
  now: () => number;
}

export class Announcer {
  #dependencies;
  #reported = '';
  /** One report after the other, or an older state could come last. */
  #last: Promise<void> = Promise.resolve();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Report the state if it has changed. */
  update() {
    return this.#next(false);
  }

  /** Report the state to a server that may not have it. */
  repeat() {
    return this.#next(true);
  }

  #next(unchangedToo: boolean): Promise<void> {
    this.#last = this.#last.then(() => this.#report(unchangedToo));
    return this.#last;
  }

  async #report(unchangedToo: boolean) {
    const { settings, front, report, now } = this.#dependencies;
    const [tab, values] = await Promise.all([front(), settings()]);
    const state = stateOf(tab?.id ?? null, values);
    const text = JSON.stringify(state);
    if (text === this.#reported && !unchangedToo) return;
    this.#reported = text;
    report({ ts: now(), ...state });
  }
}

function stateOf(
  front: number | null,
  { trackedTabId, captureWebSockets, captureNetworkBodies, captureAllTabs }: Values,
): Omit<StateEvent, 'ts'> {
  return {
    type: 'state',
    front,
    tracked: trackedTabId,
    websockets: captureWebSockets,
    bodies: captureNetworkBodies,
    allTabs: captureAllTabs,
  };
}
