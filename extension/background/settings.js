// Knows the human's settings and who wants to hear of a change; it must not act on one.

import { KEYS, valuesFrom } from '../shared/settings.js';

/** @typedef {import('../shared/settings.js').Values} Values */

/**
 * What of chrome.storage.local is needed here.
 * @typedef {object} Area
 * @property {(keys: string[]) => Promise<Record<string, unknown>>} get
 */

/** The settings of one worker, read once and kept up to date by its storage's events. */
export class Settings {
  #area;
  #changed;
  /** @type {Promise<Record<string, unknown>> | undefined} */
  #stored;

  /**
   * @param {Area} area
   * @param {(values: Values) => void} changed
   */
  constructor(area, changed) {
    this.#area = area;
    this.#changed = changed;
  }

  /** @returns {Promise<Values>} */
  async read() {
    this.#stored ??= this.#area.get(KEYS);
    return valuesFrom(await this.#stored);
  }

  /**
   * Take over what has changed in the area; a listener of its `onChanged`.
   * @param {Record<string, {newValue?: unknown}>} changes
   * @returns {Promise<void>}
   */
  async hear(changes) {
    const ours = KEYS.filter((key) => Object.hasOwn(changes, key));
    if (!ours.length) return;
    const [before, stored] = [await this.read(), { ...(await this.#stored) }];
    for (const key of ours) stored[key] = changes[key]?.newValue;
    this.#stored = Promise.resolve(stored);
    const after = valuesFrom(stored);
    if (JSON.stringify(after) !== JSON.stringify(before)) this.#changed(after);
  }
}
