// Counts the captured and dropped events since the last clear, and stores the counts for the popup and the next worker.

import { COUNTS_KEY, type Counts, noCounts } from '../../shared/counts.ts';
import type { CapturedEvent, DroppedEvent } from '../../shared/events.ts';
import { countByType } from './chunks.ts';

/** The shortest time between two writes. */
export const WRITE_MS = 1_000;

export interface Dependencies {
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  clock: { setTimeout: (call: () => void, ms: number) => any };
  now: () => number;
}

export class EventCounters {
  #dependencies;
  #counts: Counts;
  #resting = false;
  #unwritten = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#counts = noCounts(dependencies.now());
  }

  /** Add the counts of earlier workers. */
  async restore(): Promise<void> {
    const { [COUNTS_KEY]: kept } = await this.#dependencies.area.get(COUNTS_KEY);
    if (!kept) return;
    const { captured, dropped } = this.#counts;
    this.#counts = { since: kept.since, captured: { ...kept.captured }, dropped: { ...kept.dropped } };
    addAll(this.#counts.captured, new Map(Object.entries(captured)));
    addAll(this.#counts.dropped, new Map(Object.entries(dropped)));
  }

  get counts(): Counts {
    return structuredClone(this.#counts);
  }

  /** Count events that are sent, and the earlier losses that they report. */
  capture(events: CapturedEvent[]) {
    const captured = countByType(events);
    captured.delete('dropped');
    addAll(this.#counts.captured, captured);
    for (const event of events) if (event.type === 'dropped') addAll(this.#counts.dropped, reportedLoss(event));
    this.#changed();
  }

  drop(counts: Map<string, number>) {
    addAll(this.#counts.dropped, counts);
    this.#changed();
  }

  reset() {
    this.#counts = noCounts(this.#dependencies.now());
    this.#changed();
  }

  #changed() {
    this.#unwritten = true;
    if (this.#resting) return;
    this.#resting = true;
    this.#write();
    this.#dependencies.clock.setTimeout(() => this.#wake(), WRITE_MS);
  }

  #wake() {
    this.#resting = false;
    if (this.#unwritten) this.#changed();
  }

  async #write() {
    this.#unwritten = false;
    try {
      await this.#dependencies.area.set({ [COUNTS_KEY]: this.counts });
    } catch (fault) {
      console.warn('The counters could not be stored.', fault);
    }
  }
}

function addAll(totals: Record<string, number>, counts: Map<string, number>) {
  for (const [type, count] of counts) totals[type] = (totals[type] ?? 0) + count;
}

/** Trusts nothing of an event that a content script sent. */
function reportedLoss({ of, count }: DroppedEvent): Map<string, number> {
  const isValid = typeof of === 'string' && /^[a-z_]{1,20}$/.test(of) && Number.isSafeInteger(count) && count > 0;
  return new Map(isValid ? [[of, count]] : []);
}
