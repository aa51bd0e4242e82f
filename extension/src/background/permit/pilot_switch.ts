// Knows whether the human lets an assistant act, and ends what acts when they no longer do; it must not switch it on.

import { isPilotOn, PILOT } from '../../shared/pilot.ts';
import { Failure } from '../failure.ts';

/** What of chrome.storage.sync is needed here. */
export interface Area {
  get: (key: string) => Promise<Record<string, unknown>>;
}

/** The human's word to one worker. */
export class Pilot {
  #area;
  #changed;
  #off = new AbortController();

  constructor(area: Area, changed: (on: boolean) => void) {
    this.#area = area;
    this.#changed = changed;
  }

  /** Returns as it is stored now; off if that cannot be read */
  async isOn(): Promise<boolean> {
    try {
      return isPilotOn(await this.#area.get(PILOT));
    } catch {
      return false;
    }
  }

  /**
   * Demand that the human lets an assistant act.
   * @returns aborted when they no longer do
   * @throws `ai_web_pilot_disabled`
   */
  async demand(): Promise<AbortSignal> {
    const { signal } = this.#off; // before the switch is read: what changes meanwhile counts
    if (!(await this.isOn()) || signal.aborted) throw disabled();
    return signal;
  }

  /** Follow the switch; a listener of the area's `onChanged`. */
  hear(changes: Record<string, { newValue?: unknown }>) {
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
