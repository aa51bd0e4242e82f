// Groups what is written to a storage area at the same moment into one write.
//
// A command's strike, its entry in the audit trail and its lease are written together before it acts: one write takes as
// long as each of the three.

/** The part of chrome.storage.session that is used. */
export interface Area {
  get: (key?: any) => Promise<Record<string, any>>;
  set: (items: Record<string, unknown>) => Promise<void>;
  remove: (keys: string[]) => Promise<void>;
}

type Write = { items: Record<string, unknown>; done: () => void; failed: (fault: unknown) => void };

export class GroupedWrites implements Area {
  #area;
  #waiting: Write[] = [];

  constructor(area: Area) {
    this.#area = area;
  }

  get(key?: string): Promise<Record<string, any>> {
    return this.#area.get(key);
  }

  remove(keys: string[]): Promise<void> {
    return this.#area.remove(keys);
  }

  /** Write items, together with all that is set before the present work pauses. */
  set(items: Record<string, unknown>): Promise<void> {
    if (!this.#waiting.length) queueMicrotask(() => this.#write());
    return new Promise((done, failed) => this.#waiting.push({ items, done, failed }));
  }

  async #write() {
    const writes = this.#waiting;
    this.#waiting = [];
    try {
      await this.#area.set(Object.assign({}, ...writes.map(({ items }) => items)));
      for (const { done } of writes) done();
    } catch (fault) {
      if (writes.length === 1) writes[0]?.failed(fault);
      else await this.#writeEach(writes); // what is too large for the area must not take the others with it
    }
  }

  async #writeEach(writes: Write[]) {
    for (const { items, done, failed } of writes) await this.#area.set(items).then(done, failed);
  }
}
