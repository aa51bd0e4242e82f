// Lays captured chunks down in a storage area that outlives the service worker; it must not decide which.

/** @typedef {import('../shared/events.js').PlacedChunk} PlacedChunk */
/** @typedef {import('./memory.js').Area} Area */

const PREFIX = 'chunk:';

/** The store of one outbox: an item per chunk. */
export class Backlog {
  #area;
  #number = 0;

  /** @param {Area} area */
  constructor(area) {
    this.#area = area;
  }

  /**
   * Read what a former life of the worker laid down.
   * @returns {Promise<PlacedChunk[]>}  oldest first
   */
  async restore() {
    const items = await this.#area.get();
    const kept = Object.keys(items).filter((key) => key.startsWith(PREFIX)).map((key) => items[key]);
    kept.sort((one, other) => one.number - other.number);
    this.#number = kept.at(-1)?.number ?? 0;
    return kept.map(({ chunk }) => chunk);
  }

  /**
   * Lay chunks down, behind those that lie there.
   * @param {PlacedChunk[]} chunks
   * @returns {Promise<void>}
   */
  async keep(chunks) {
    const items = chunks.map((chunk) => [PREFIX + chunk.id, { number: ++this.#number, chunk }]);
    await this.#area.set(Object.fromEntries(items));
  }

  /**
   * @param {string[]} ids
   * @returns {Promise<void>}
   */
  async remove(ids) {
    await this.#area.remove(ids.map((id) => PREFIX + id));
  }
}
