// Stores captured chunks in a storage area that outlives the service worker, one item a chunk.

import type { PlacedChunk } from '../../shared/events.ts';
import type { Area } from '../link/ledger_store.ts';

const PREFIX = 'chunk:';

export class Backlog {
  #area;
  #number = 0;

  constructor(area: Area) {
    this.#area = area;
  }

  /** Read what an earlier worker stored, oldest first. */
  async restore(): Promise<PlacedChunk[]> {
    const items = await this.#area.get();
    const kept = Object.keys(items)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => items[key]);
    kept.sort((one, other) => one.number - other.number);
    this.#number = kept.at(-1)?.number ?? 0;
    return kept.map(({ chunk }) => chunk);
  }

  async keep(chunks: PlacedChunk[]): Promise<void> {
    const items = chunks.map((chunk) => [PREFIX + chunk.id, { number: ++this.#number, chunk }]);
    await this.#area.set(Object.fromEntries(items));
  }

  async remove(ids: string[]): Promise<void> {
    await this.#area.remove(ids.map((id) => PREFIX + id));
  }
}
