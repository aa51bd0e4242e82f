// Tells the server what the human has set and which tab is in front, among the captured events; it must set nothing.

import type { StateEvent } from '../../shared/events.ts';
import type { Values } from '../../shared/settings.ts';

/** What the announcer is given to work with. */
export interface Desk {
  settings: () => Promise<Values>;
  front: () => Promise<{ id: number } | undefined>;
  say: (event: StateEvent) => unknown;
  now: () => number;
}

/** The announcer of one worker. */
export class Announcer {
  #desk;
  #said = '';
  /** One after the other, or an older state could be told last */
  #last: Promise<void> = Promise.resolve();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Say how it is, if that has changed. */
  look() {
    this.#last = this.#last.then(() => this.#look());
    return this.#last;
  }

  /** Say how it is to a server that may not know. */
  repeat() {
    this.#last = this.#last.then(() => this.#look(true));
    return this.#last;
  }

  async #look(again = false) {
    const [front, values] = await Promise.all([this.#desk.front(), this.#desk.settings()]);
    const state = stateOf(front?.id ?? null, values);
    const text = JSON.stringify(state);
    if (text === this.#said && !again) return;
    this.#said = text;
    this.#desk.say({ ts: this.#desk.now(), ...state });
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
