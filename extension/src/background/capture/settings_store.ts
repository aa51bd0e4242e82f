// Knows the human's settings and who wants to hear of a change; it must not act on one.

import { KEYS, type Values, valuesFrom } from '../../shared/settings.ts';

/** What of chrome.storage.local is needed here. */
export interface Area {
  get: (keys: string[]) => Promise<Record<string, unknown>>;
}

/** The settings of one worker, read once and kept up to date by its storage's events. */
export class Settings {
  #area;
  #changed;
  #loaded: Promise<void> | undefined;
  #stored: Record<string, unknown> = {};

  constructor(area: Area, changed: (values: Values) => void) {
    this.#area = area;
    this.#changed = changed;
  }

  async read(): Promise<Values> {
    try {
      await (this.#loaded ??= this.#load());
    } catch (fault) {
      this.#loaded = undefined; // the next one may read it
      throw fault;
    }
    return valuesFrom(this.#stored);
  }

  /** Take over what has changed in the area; a listener of its `onChanged`. */
  async hear(changes: Record<string, { newValue?: unknown; oldValue?: unknown }>): Promise<void> {
    const ours = KEYS.filter((key) => Object.hasOwn(changes, key));
    if (!ours.length) return;
    await this.read();
    const before = { ...this.#stored }; // from here on in one turn: changes that come together are both kept
    for (const key of ours) {
      before[key] = changes[key]?.oldValue; // what was read may be new already: the change is what has woken the worker
      this.#stored[key] = changes[key]?.newValue;
    }
    const after = valuesFrom(this.#stored);
    if (JSON.stringify(after) !== JSON.stringify(valuesFrom(before))) this.#changed(after);
  }

  async #load() {
    this.#stored = await this.#area.get(KEYS);
  }
}
