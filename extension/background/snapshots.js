// Keeps snapshots by name, one write after another; it must not know what is in one.

import { Failure } from './failure.js';

/**
 * @typedef {object} Snapshot
 * @property {string} url
 * @property {string} origin
 * @property {string} timestamp  ISO 8601
 * @property {number} size_bytes  of `data`
 * @property {string} data  JSON, as text: half characters, which pages do store, would not survive otherwise
 */

/**
 * What of chrome.storage.local is needed here.
 * @typedef {object} Area
 * @property {(key: string) => Promise<Record<string, any>>} get
 * @property {(items: Record<string, unknown>) => Promise<void>} set
 */

const KEY = 'gasoline_snapshots';

/** What chrome.storage.local holds (https://developer.chrome.com/docs/extensions/reference/api/storage#property-local). */
const QUOTA_BYTES = 10 * 1024 * 1024;

/** How many names an error lists. */
const NAMES = 10;

const VALID = 'snapshot_name must be 1 to 100 characters: letters (a-z), digits, space, ".", "_", "-"; the first a letter or digit.';

/**
 * Read the name out of a query.
 * @param {Record<string, unknown>} query
 * @returns {string}
 * @throws {Failure} `invalid_params`
 */
export function nameIn({ snapshot_name: name }) {
  if (typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(name)) return name;
  const value = typeof name === 'string' ? name.slice(0, 200).toWellFormed() : name;
  throw new Failure('invalid_params', VALID, { details: { parameter: 'snapshot_name', value } });
}

/** All snapshots. There may be one such object only: two would overwrite each other's. */
export class Snapshots {
  #area;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {Area} area */
  constructor(area) {
    this.#area = area;
  }

  /** @returns {Promise<[string, Snapshot][]>}  newest first */
  list() {
    return this.#inTurn(async () => newestFirst(await this.#read()));
  }

  /**
   * @param {string} name
   * @returns {Promise<Snapshot>}
   * @throws {Failure} `not_found`
   */
  get(name) {
    return this.#inTurn(async () => known(await this.#read(), name));
  }

  /**
   * Keep a snapshot, in the place of one with the same name.
   * @param {string} name
   * @param {Snapshot} snapshot
   * @returns {Promise<boolean>}  whether there was one
   * @throws {Failure} `storage_quota_exceeded`
   */
  put(name, snapshot) {
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

  /**
   * @param {string} name
   * @returns {Promise<void>}
   * @throws {Failure} `not_found`
   */
  remove(name) {
    return this.#inTurn(async () => {
      const all = await this.#read();
      known(all, name);
      all.delete(name);
      await this.#write(all);
    });
  }

  /** @returns {Promise<Map<string, Snapshot>>} */
  async #read() {
    return new Map(Object.entries((await this.#area.get(KEY))[KEY] ?? {}));
  }

  /** @param {Map<string, Snapshot>} all */
  async #write(all) {
    await this.#area.set({ [KEY]: Object.fromEntries(all) });
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #inTurn(work) {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {}); // whoever asked for it hears of it
    return done;
  }
}

/**
 * @param {Map<string, Snapshot>} all
 * @returns {[string, Snapshot][]}
 */
function newestFirst(all) {
  return [...all].sort(([, one], [, other]) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
}

/**
 * @param {Map<string, Snapshot>} all
 * @param {string} name
 * @returns {Snapshot}
 */
function known(all, name) {
  const snapshot = all.get(name);
  if (snapshot) return snapshot;
  const names = newestFirst(all).slice(0, NAMES).map(([known]) => known);
  throw new Failure('not_found', `There is no snapshot ${JSON.stringify(name)}.`, {
    details: { snapshot_name: name, known_names: names, count: all.size },
    recovery: names.length ? `Name one that there is: ${names.join(', ')}.` : 'Save one first: configure(action:"save_state").',
  });
}

/**
 * @param {Snapshot} snapshot  what there is no room for
 * @param {Map<string, Snapshot>} all
 */
function full({ size_bytes }, all) {
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
