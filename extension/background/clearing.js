// Asks the server to forget what was captured and waits until it has; it must forget nothing itself.

import { newId } from './chunks.js';
import { clear } from './messages.js';

/** The longest wait for the server. */
export const CLEAR_MS = 2_000;

/**
 * What is needed to ask.
 * @typedef {object} World
 * @property {(text: string) => boolean} send  false while there is no connection
 * @property {{setTimeout: (call: () => void, ms: number) => any, clearTimeout: (timer: any) => void}} clock
 */

/** The requests of one worker that are under way. */
export class Clearing {
  #world;
  /** @type {Map<string, (cleared: boolean) => void>} */
  #waiting = new Map();

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
  }

  /** @returns {Promise<boolean>}  whether the server has forgotten it */
  async ask() {
    const id = newId();
    if (!this.#world.send(JSON.stringify(clear(id)))) return false;
    const { clock } = this.#world;
    return new Promise((done) => {
      const timer = clock.setTimeout(() => this.#end(id, false), CLEAR_MS);
      this.#waiting.set(id, (cleared) => {
        clock.clearTimeout(timer);
        done(cleared);
      });
    });
  }

  /**
   * Note that the server has done what was asked.
   * @param {string} id
   */
  acknowledged(id) {
    this.#end(id, true);
  }

  /**
   * @param {string} id
   * @param {boolean} cleared
   */
  #end(id, cleared) {
    this.#waiting.get(id)?.(cleared);
    this.#waiting.delete(id);
  }
}
