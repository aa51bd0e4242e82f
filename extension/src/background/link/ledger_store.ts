// Stores the ledger in a storage area that outlives the service worker, one item a command.

import { type Change, type Entry, isKeepable, Ledger } from './ledger.ts';

/** The part of chrome.storage.session that is used. */
export interface Area {
  get: () => Promise<Record<string, any>>;
  set: (items: Record<string, unknown>) => Promise<void>;
  remove: (keys: string[]) => Promise<void>;
}

const PREFIX = 'done:';

export class LedgerStore {
  #area;
  #number = 0;
  /** The order of the items, which the area does not keep. */
  #numbers: Map<string, number> = new Map();

  constructor(area: Area) {
    this.#area = area;
  }

  /** Read what an earlier worker wrote. */
  async restore(): Promise<Ledger> {
    const items = await this.#area.get();
    const kept = Object.keys(items)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => items[key]);
    kept.sort((one, other) => one.number - other.number);
    for (const { number, entry } of kept) this.#numbers.set(entry.id, number);
    this.#number = kept.at(-1)?.number ?? 0;
    return new Ledger(kept.map(({ entry }) => entry));
  }

  /** Write what changed. If the area is full, the ledger still has it while the worker lives. */
  async write({ changed, forgotten }: Change): Promise<void> {
    for (const id of forgotten) this.#numbers.delete(id);
    const items = Object.fromEntries(changed.map((entry) => [PREFIX + entry.id, this.#item(entry)]));
    try {
      if (changed.length) await this.#area.set(items);
      if (forgotten.length) await this.#area.remove(forgotten.map((id) => PREFIX + id));
    } catch (fault) {
      console.warn('The result of a command could not be stored.', fault);
    }
  }

  #item(entry: Entry) {
    const number = this.#numbers.get(entry.id) ?? ++this.#number;
    this.#numbers.set(entry.id, number);
    return { number, entry: isKeepable(entry) ? { ...entry } : { ...entry, text: null, bytes: 0 } };
  }
}
