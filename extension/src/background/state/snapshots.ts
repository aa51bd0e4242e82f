// Stores snapshots by name, one write after another.

import { Failure } from '../failure.ts';

export interface Snapshot {
  url: string;
  origin: string;
  /** ISO 8601. */
  timestamp: string;
  /** Of `data`. */
  size_bytes: number;
  /** JSON, as text: else half characters, which pages do store, would be lost. */
  data: string;
}

/** The part of chrome.storage.local that is used. */
export interface Area {
  get: (key: string) => Promise<Record<string, any>>;
  set: (items: Record<string, unknown>) => Promise<void>;
}

const KEY = 'gasoline_snapshots';

/** The room in chrome.storage.local (https://developer.chrome.com/docs/extensions/reference/api/storage#property-local). */
const QUOTA_BYTES = 10 * 1024 * 1024;

/** The most names in an error. */
const NAMES = 10;

/** There must be only one such object: two would overwrite each other's snapshots. */
export class Snapshots {
  #area;
  #last: Promise<unknown> = Promise.resolve();

  constructor(area: Area) {
    this.#area = area;
  }

  /** Newest first. */
  list(): Promise<[string, Snapshot][]> {
    return this.#inTurn(async () => newestFirst(await this.#read()));
  }

  get(name: string): Promise<Snapshot> {
    return this.#inTurn(async () => known(await this.#read(), name));
  }

  /** Store a snapshot; give whether it replaces one of the same name. */
  put(name: string, snapshot: Snapshot): Promise<boolean> {
    return this.#inTurn(async () => {
      const all = await this.#read();
      const replaced = all.has(name);
      try {
        await this.#write(new Map(all).set(name, snapshot));
      } catch (fault) {
        throw /quota/i.test(String(fault)) ? full(snapshot, all) : fault;
      }
      return replaced;
    });
  }

  remove(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const all = await this.#read();
      known(all, name);
      all.delete(name);
      await this.#write(all);
    });
  }

  async #read(): Promise<Map<string, Snapshot>> {
    return new Map(Object.entries((await this.#area.get(KEY))[KEY] ?? {}));
  }

  async #write(all: Map<string, Snapshot>) {
    await this.#area.set({ [KEY]: Object.fromEntries(all) });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {}); // its caller gets the error
    return done;
  }
}

function newestFirst(all: Map<string, Snapshot>): [string, Snapshot][] {
  return [...all].sort(([, one], [, other]) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
}

function known(all: Map<string, Snapshot>, name: string): Snapshot {
  const snapshot = all.get(name);
  if (snapshot) return snapshot;
  const names = newestFirst(all)
    .slice(0, NAMES)
    .map(([known]) => known);
  throw new Failure('not_found', `There is no snapshot ${JSON.stringify(name)}.`, {
    details: { snapshot_name: name, known_names: names, count: all.size },
    recovery: names.length
      ? `Existing snapshots: ${names.join(', ')}.`
      : 'Save one first: configure(action:"save_state").',
  });
}

function full({ size_bytes }: Snapshot, all: Map<string, Snapshot>) {
  const largest = [...all]
    .map(([name, { size_bytes }]) => ({ name, size_bytes }))
    .sort((one, other) => other.size_bytes - one.size_bytes);
  const used = largest.reduce((sum, one) => sum + one.size_bytes, 0);
  return new Failure('storage_quota_exceeded', 'The browser has no room for this snapshot. Nothing was changed.', {
    details: { size_bytes, used_bytes: used, limit_bytes: QUOTA_BYTES, largest: largest.slice(0, NAMES) },
    recovery: largest[0]
      ? `Delete one that is not needed, such as the largest: configure(action:"delete_state", snapshot_name:${JSON.stringify(largest[0].name)}).`
      : 'The page stores too much by itself: have it clear what it does not need, then save again.',
  });
}
