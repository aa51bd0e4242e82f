// Knows whether the human lets an assistant act, and ends what acts when they no longer do; it must not switch it on.

import { isPilotOn, PILOT } from '../shared/pilot.js';
import { Failure } from './failure.js';

/**
 * What of chrome.storage.sync is needed here.
 * @typedef {object} Area
 * @property {(key: string) => Promise<Record<string, unknown>>} get
 */

/** The human's word to one worker. */
export class Pilot {
  #area;
  #changed;
  #off = new AbortController();

  /**
   * @param {Area} area
   * @param {(on: boolean) => void} changed
   */
  constructor(area, changed) {
    this.#area = area;
    this.#changed = changed;
  }

  /** @returns {Promise<boolean>}  as it is stored now; off if that cannot be read */
  async isOn() {
    try {
      return isPilotOn(await this.#area.get(PILOT));
    } catch {
      return false;
    }
  }

  /**
   * Demand that the human lets an assistant act.
   * @returns {Promise<AbortSignal>}  aborted when they no longer do
   * @throws {Failure} `ai_web_pilot_disabled`
   */
  async demand() {
    const { signal } = this.#off; // before the switch is read: what changes meanwhile counts
    if (!(await this.isOn()) || signal.aborted) throw disabled();
    return signal;
  }

  /**
   * Follow the switch; a listener of the area's `onChanged`.
   * @param {Record<string, {newValue?: unknown}>} changes
   */
  hear(changes) {
    if (!Object.hasOwn(changes, PILOT)) return;
    const on = changes[PILOT]?.newValue === true;
    if (!on) this.#end();
    this.#changed(on);
  }

  #end() {
    this.#off.abort(disabled());
    this.#off = new AbortController();
  }
}

/** The words of seed 003, Safety Model. */
function disabled() {
  return new Failure('ai_web_pilot_disabled', "Enable 'AI Web Pilot' in extension popup to use this tool", {
    recovery: 'Ask the user: only they can, in the popup of the Gasoline extension. Reading tools work without it.',
  });
}
