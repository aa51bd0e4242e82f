// Keeps snapshots by name, one write after another; it must not know what is in one.

import { Failure } from '../failure.ts';

export interface Snapshot {
  url: string;
  origin: string;
  /** ISO 8601 */
  timestamp: string;
  /** Of `data` */
  size_bytes: number;
  /** JSON, as text: half characters, which pages do store, would not survive otherwise */
  data: string;
}

/** What of chrome.storage.local is needed here. */
export interface Area {
  get: (key: string) => Promise<Record<string, any>>;
  set: (items: Record<string, unknown>) => Promise<void>;
}

const KEY = 'gasoline_snapshots';

/** What chrome.storage.local holds (https://developer.chrome.com/docs/extensions/reference/api/storage#property-local). */
const QUOTA_BYTES = 10 * 1024 * 1024;

/** How many names an error lists. */
const NAMES = 10;

const VALID =
  'snapshot_name must be 1 to 100 characters: letters (a-z), digits, space, ".", "_", "-"; the first a letter or digit.';

/**
 * Read the name out of a query.
 * @throws `invalid_params`
 */
export function nameIn({ snapshot_name: name }: Record<string, unknown>): string {
  if (typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(name)) return name;
  const value = typeof name === 'string' ? name.slice(0, 200).toWellFormed() : name;
  throw new Failure('invalid_params', VALID, { details: { parameter: 'snapshot_name', value } });
}

/** All snapshots. There may be one such object only: two would overwrite each other's. */
export class Snapshots {
  #area;
  #last: Promise<unknown> = Promise.resolve();

  constructor(area: Area) {
    this.#area = area;
  }

  /** Returns newest first */
  list(): Promise<[string, Snapshot][]> {
    return this.#inTurn(async () => newestFirst(await this.#read()));
  }

  /** @throws `not_found` */
  get(name: string): Promise<Snapshot> {
    return this.#inTurn(async () => known(await this.#read(), name));
  }

  /**
   * Keep a snapshot, in the place of one with the same name.
   * @returns whether there was one
   * @throws `storage_quota_exceeded`
   */
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

  /** @throws `not_found` */
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
    this.#last = done.catch(() => {}); // whoever asked for it hears of it
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
      ? `Name one that there is: ${names.join(', ')}.`
      : 'Save one first: configure(action:"save_state").',
  });
}

/** @param snapshot what there is no room for */
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
