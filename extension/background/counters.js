// Counts what was captured and dropped since the last clear, and writes it down; it must not drop anything itself.
// What is written is for the popup, and for the next life of the worker.

import { COUNTS_KEY, noCounts } from '../shared/counts.js';
import { countByType } from './chunks.js';

/** @typedef {import('../shared/counts.js').Counts} Counts */
/** @typedef {import('../shared/events.js').CapturedEvent} CapturedEvent */

/** The shortest time between two writes. */
export const WRITE_MS = 1_000;

/**
 * What the counters need of the outer world.
 * @typedef {object} World
 * @property {{get: (key: string) => Promise<Record<string, any>>, set: (items: Record<string, unknown>) => Promise<void>}} area
 * @property {{setTimeout: (call: () => void, ms: number) => any}} clock
 * @property {() => number} now
 */

/** The counters of one worker. */
export class Counters {
  #world;
  /** @type {Counts} */
  #counts;
  #resting = false;
  #unwritten = false;

  /** @param {World} world */
  constructor(world) {
    this.#world = world;
    this.#counts = noCounts(world.now());
  }

  /**
   * Go on where a former life of the worker ended.
   * @returns {Promise<void>}
   */
  async restore() {
    const { [COUNTS_KEY]: kept } = await this.#world.area.get(COUNTS_KEY);
    if (!kept) return;
    const { captured, dropped } = this.#counts;
    this.#counts = { since: kept.since, captured: { ...kept.captured }, dropped: { ...kept.dropped } };
    addAll(this.#counts.captured, new Map(Object.entries(captured)));
    addAll(this.#counts.dropped, new Map(Object.entries(dropped)));
  }

  /** @returns {Counts} */
  get counts() {
    return structuredClone(this.#counts);
  }

  /**
   * Count events that are on their way, and what they tell of others that were dropped before them.
   * @param {CapturedEvent[]} events
   */
  capture(events) {
    const captured = countByType(events);
    captured.delete('dropped');
    addAll(this.#counts.captured, captured);
    for (const event of events) if (event.type === 'dropped') addAll(this.#counts.dropped, told(event));
    this.#changed();
  }

  /**
   * Count events that go no further.
   * @param {Map<string, number>} counts
   */
  drop(counts) {
    addAll(this.#counts.dropped, counts);
    this.#changed();
  }

  /** Begin anew. */
  reset() {
    this.#counts = noCounts(this.#world.now());
    this.#changed();
  }

  #changed() {
    this.#unwritten = true;
    if (this.#resting) return;
    this.#resting = true;
    this.#write();
    this.#world.clock.setTimeout(() => this.#wake(), WRITE_MS);
  }

  #wake() {
    this.#resting = false;
    if (this.#unwritten) this.#changed();
  }

  async #write() {
    this.#unwritten = false;
    try {
      await this.#world.area.set({ [COUNTS_KEY]: this.counts });
    } catch (fault) {
      console.warn('The counters could not be stored.', fault);
    }
  }
}

/**
 * @param {Record<string, number>} totals
 * @param {Map<string, number>} counts
 */
function addAll(totals, counts) {
  for (const [type, count] of counts) totals[type] = (totals[type] ?? 0) + count;
}

/**
 * @param {import('../shared/events.js').DroppedEvent} event  as a page's script told it
 * @returns {Map<string, number>}
 */
function told({ of, count }) {
  const believable = typeof of === 'string' && /^[a-z_]{1,20}$/.test(of) && Number.isSafeInteger(count) && count > 0;
  return new Map(believable ? [[of, count]] : []);
}
