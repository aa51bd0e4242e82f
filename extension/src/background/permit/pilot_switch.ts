// Reads the user's switch that lets assistants act, and aborts every act when it is switched off. It never sets it.

import { isPilotOn, PILOT } from '../../shared/pilot.ts';
import { Failure } from '../failure.ts';

/** The part of chrome.storage.sync that is used. */
export interface Area {
  get: (key: string) => Promise<Record<string, unknown>>;
}

/** How often the switch is read before it counts as off: reading fails in a worker that Chrome is ending. */
const READS = 5;

/** Between two of these. */
const PAUSE_MS = 100;

export class PilotSwitch {
  #area;
  #changed;
  #off = new AbortController();
  #changes = 0;

  constructor(area: Area, changed: (on: boolean) => void) {
    this.#area = area;
    this.#changed = changed;
  }

  /** Read the switch as it is stored now, again if it changed meanwhile; off if that fails. */
  async isOn(): Promise<boolean> {
    const before = this.#changes;
    const on = await this.#read();
    return before === this.#changes ? on : this.isOn();
  }

  /** Throw `ai_web_pilot_disabled` while it is off; else give a signal that is aborted when it is switched off. */
  async demand(): Promise<AbortSignal> {
    const { signal } = this.#off; // taken before the switch is read: a change meanwhile counts
    if (!(await this.isOn()) || signal.aborted) throw disabled();
    return signal;
  }

  /** A listener of the area's `onChanged`. */
  onChanged(changes: Record<string, { newValue?: unknown }>) {
    if (!Object.hasOwn(changes, PILOT)) return;
    const on = changes[PILOT]?.newValue === true;
    this.#changes += 1;
    if (!on) this.#end();
    this.#changed(on);
  }

  async #read() {
    for (let reads = 1; ; reads++) {
      try {
        return isPilotOn(await this.#area.get(PILOT));
      } catch {
        if (reads === READS) return false;
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }

  #end() {
    this.#off.abort(disabled());
    this.#off = new AbortController();
  }
}

/** The text is that of seed 003, Safety Model. */
function disabled() {
  return new Failure('ai_web_pilot_disabled', "Enable 'AI Web Pilot' in extension popup to use this tool");
}
