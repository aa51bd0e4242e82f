// Tells the server what the human has set and which tab is in front, among the captured events; it must set nothing.

/** @typedef {import('../shared/settings.js').Values} Values */
/** @typedef {import('../shared/events.js').StateEvent} StateEvent */

/**
 * What the announcer is given to work with.
 * @typedef {object} Desk
 * @property {() => Promise<Values>} settings
 * @property {() => Promise<{id: number} | undefined>} front
 * @property {(event: StateEvent) => unknown} say
 * @property {() => number} now
 */

/** The announcer of one worker. */
export class Announcer {
  #desk;
  #said = '';
  /** @type {Promise<void>}  one after the other, or an older state could be told last */
  #last = Promise.resolve();

  /** @param {Desk} desk */
  constructor(desk) {
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

/**
 * @param {number | null} front
 * @param {Values} values
 * @returns {Omit<StateEvent, 'ts'>}
 */
function stateOf(front, { trackedTabId, captureWebSockets, captureNetworkBodies, captureAllTabs }) {
  return {
    type: 'state',
    front,
    tracked: trackedTabId,
    websockets: captureWebSockets,
    bodies: captureNetworkBodies,
    allTabs: captureAllTabs,
  };
}
