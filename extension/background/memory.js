// Keeps the ledger in a storage area that outlives the service worker; it must not decide what is remembered.

import { isKeepable, Ledger } from './ledger.js';

/** @typedef {import('./ledger.js').Entry} Entry */
/** @typedef {import('./ledger.js').Change} Change */

/**
 * What of chrome.storage.session is needed here.
 * @typedef {object} Area
 * @property {() => Promise<Record<string, any>>} get
 * @property {(items: Record<string, unknown>) => Promise<void>} set
 * @property {(keys: string[]) => Promise<void>} remove
 */

const PREFIX = 'done:';

/** The store of one ledger: an item per command. */
export class Memory {
  #area;
  #number = 0;
  /** @type {Map<string, number>}  the order of the items, which the area does not keep */
  #numbers = new Map();

  /** @param {Area} area */
  constructor(area) {
    this.#area = area;
  }

  /**
   * Read what a former life of the worker wrote.
   * @returns {Promise<Ledger>}
   */
  async restore() {
    const items = await this.#area.get();
    const kept = Object.keys(items).filter((key) => key.startsWith(PREFIX)).map((key) => items[key]);
    kept.sort((one, other) => one.number - other.number);
    for (const { number, entry } of kept) this.#numbers.set(entry.id, number);
    this.#number = kept.at(-1)?.number ?? 0;
    return new Ledger(kept.map(({ entry }) => entry));
  }

  /**
   * Write what changed. If the area refuses (it is full), the ledger still has it while the worker lives.
   * @param {Change} change
   * @returns {Promise<void>}
   */
  async write({ changed, forgotten }) {
    for (const id of forgotten) this.#numbers.delete(id);
    const items = Object.fromEntries(changed.map((entry) => [PREFIX + entry.id, this.#item(entry)]));
    try {
      if (changed.length) await this.#area.set(items);
      if (forgotten.length) await this.#area.remove(forgotten.map((id) => PREFIX + id));
    } catch (fault) {
      console.warn('The answer could not be stored.', fault);
    }
  }

  /** @param {Entry} entry */
  #item(entry) {
    const number = this.#numbers.get(entry.id) ?? ++this.#number;
    this.#numbers.set(entry.id, number);
    return { number, entry: isKeepable(entry) ? { ...entry } : { ...entry, text: null, bytes: 0 } };
  }
}
