// Counts what was captured and dropped since the last clear, and writes it down; it must not drop anything itself.
// What is written is for the popup, and for the next life of the worker.

import { COUNTS_KEY, type Counts, noCounts } from '../../shared/counts.ts';
import type { CapturedEvent, DroppedEvent } from '../../shared/events.ts';
import { countByType } from './chunks.ts';

/** The shortest time between two writes. */
export const WRITE_MS = 1_000;

/** What the counters need of the outer world. */
export interface World {
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  clock: { setTimeout: (call: () => void, ms: number) => any };
  now: () => number;
}

/** The counters of one worker. */
export class Counters {
  #world;
  #counts: Counts;
  #resting = false;
  #unwritten = false;

  constructor(world: World) {
    this.#world = world;
    this.#counts = noCounts(world.now());
  }

  /** Go on where a former life of the worker ended. */
  async restore(): Promise<void> {
    const { [COUNTS_KEY]: kept } = await this.#world.area.get(COUNTS_KEY);
    if (!kept) return;
    const { captured, dropped } = this.#counts;
    this.#counts = { since: kept.since, captured: { ...kept.captured }, dropped: { ...kept.dropped } };
    addAll(this.#counts.captured, new Map(Object.entries(captured)));
    addAll(this.#counts.dropped, new Map(Object.entries(dropped)));
  }

  get counts(): Counts {
    return structuredClone(this.#counts);
  }

  /** Count events that are on their way, and what they tell of others that were dropped before them. */
  capture(events: CapturedEvent[]) {
    const captured = countByType(events);
    captured.delete('dropped');
    addAll(this.#counts.captured, captured);
    for (const event of events) if (event.type === 'dropped') addAll(this.#counts.dropped, told(event));
    this.#changed();
  }

  /** Count events that go no further. */
  drop(counts: Map<string, number>) {
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

function addAll(totals: Record<string, number>, counts: Map<string, number>) {
  for (const [type, count] of counts) totals[type] = (totals[type] ?? 0) + count;
}

/** @param event as a page's script told it */
function told({ of, count }: DroppedEvent): Map<string, number> {
  const believable = typeof of === 'string' && /^[a-z_]{1,20}$/.test(of) && Number.isSafeInteger(count) && count > 0;
  return new Map(believable ? [[of, count]] : []);
}
