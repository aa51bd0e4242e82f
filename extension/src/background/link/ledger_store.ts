// Stores the ledger in a storage area that outlives the service worker, one item a command.

import { type Change, type Entry, isKeepable, Ledger } from './ledger.ts';

/** The part of chrome.storage.session that is used. */
export interface Area {
  get: () => Promise<Record<string, any>>;
  set: (items: Record<string, unknown>) => Promise<void>;
  remove: (keys: string[]) => Promise<void>;
}

const PREFIX = 'done:';

/** Milliseconds that what is not urgent waits for another write. */
const LATE_MS = 1_000;

/** So many items that are forgotten are removed together. */
const TOGETHER = 20;

export class LedgerStore {
  #area;
  #number = 0;
  /** The order of the items, which the area does not keep. */
  #numbers: Map<string, number> = new Map();

  /** What is written with the next write, and the items that are removed with others. */
  #late: Map<string, Entry> = new Map();
  #timer: any;
  #gone: Set<string> = new Set();

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
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#late.values(), ...changed].filter(({ id }) => !forgotten.includes(id));
    this.#late.clear();
    for (const id of forgotten) {
      this.#numbers.delete(id);
      this.#gone.add(PREFIX + id);
    }
    const items = Object.fromEntries(entries.map((entry) => [PREFIX + entry.id, this.#item(entry)]));
    try {
      if (entries.length) await this.#area.set(items);
      if (this.#gone.size >= TOGETHER) await this.#area.remove(this.#taken());
    } catch (fault) {
      console.warn('The result of a command could not be stored.', fault);
    }
  }

  /** Write what changed with the next write, or soon: lost, it costs that a result is sent once more. */
  later({ changed }: Change) {
    for (const entry of changed) this.#late.set(entry.id, entry);
    if (changed.length) this.#timer ??= setTimeout(() => this.write({ changed: [], forgotten: [] }), LATE_MS);
  }

  #taken(): string[] {
    const gone = [...this.#gone];
    this.#gone.clear();
    return gone;
  }

  #item(entry: Entry) {
    const number = this.#numbers.get(entry.id) ?? ++this.#number;
    this.#numbers.set(entry.id, number);
    return { number, entry: isKeepable(entry) ? { ...entry } : { ...entry, text: null, bytes: 0 } };
  }
}
