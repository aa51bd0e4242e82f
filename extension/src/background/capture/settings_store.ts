// Reads the user's settings once, and keeps them up to date by the storage's events.

import { KEYS, type Values, valuesFrom } from '../../shared/settings.ts';

/** The part of chrome.storage.local that is used. */
export interface Area {
  get: (keys: string[]) => Promise<Record<string, unknown>>;
}

export class SettingsStore {
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
      this.#loaded = undefined; // the next call tries again
      throw fault;
    }
    return valuesFrom(this.#stored);
  }

  /** Read what is stored now: its change may not have been heard of yet. */
  async refresh(): Promise<void> {
    const before = JSON.stringify(await this.read());
    await this.#load();
    const after = valuesFrom(this.#stored);
    if (JSON.stringify(after) !== before) this.#changed(after);
  }

  /** A listener of the area's `onChanged`. */
  async onChanged(changes: Record<string, { newValue?: unknown; oldValue?: unknown }>): Promise<void> {
    const ours = KEYS.filter((key) => Object.hasOwn(changes, key));
    if (!ours.length) return;
    await this.read();
    const before = { ...this.#stored }; // synchronous from here: of two changes at once both are kept
    for (const key of ours) {
      before[key] = changes[key]?.oldValue; // the value that was read may be the new one: the change itself woke the worker
      this.#stored[key] = changes[key]?.newValue;
    }
    const after = valuesFrom(this.#stored);
    if (JSON.stringify(after) !== JSON.stringify(valuesFrom(before))) this.#changed(after);
  }

  async #load() {
    this.#stored = await this.#area.get(KEYS);
  }
}
