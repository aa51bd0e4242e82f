// Keeps the memory snapshots of tabs: the last one, and those with a name; they outlive the worker, not the browser.

import { Failure } from '../failure.ts';

/** In bytes. */
export type Heap = { used: number; total: number; limit: number };

/** `at`: as ISO 8601 has it; null: not counted, for the debugger was not allowed. */
export type Snapshot = {
  at: string;
  heap: Heap;
  elements: number;
  detached: number | null;
  listeners: number | null;
  source: 'debugger' | 'performance.memory';
};

/** What a page counts of itself. */
export type Measured = { heap?: Heap; elements: number };

/** What the debugger counts. */
export type Counted = Pick<Snapshot, 'detached' | 'listeners'> & { heap: Pick<Heap, 'used' | 'total'> };

/** `document`: the id of the document that it is of. */
type Kept = Snapshot & { document: string };

type Area = Pick<chrome.storage.StorageArea, 'get' | 'set'>;

const KEY = 'memorySnapshots';
const NAMES = 20;
const TABS = 20;

/** Put a snapshot together. @throws Failure neither of them has the size of the heap */
export function snapshotOf({ heap, elements }: Measured, by: Counted | undefined): Snapshot {
  if (!heap && !by) throw new Failure('memory_api_unavailable', 'This browser has no performance.memory.');
  return {
    at: `${new Date().toISOString().slice(0, 19)}Z`,
    heap: { ...heap, ...by?.heap } as Heap,
    elements,
    detached: by?.detached ?? null,
    listeners: by?.listeners ?? null,
    source: by ? 'debugger' : 'performance.memory',
  };
}

export class Snapshots {
  #area;
  constructor(area: Area) {
    this.#area = area;
  }

  /** Keep a snapshot as the last one of its tab, and under its name. */
  async keep(tab: number, name: string, snapshot: Kept) {
    const byTab = await this.#read();
    const others = (byTab.get(tab) ?? []).filter(([known]) => known !== name);
    byTab.delete(tab);
    byTab.set(tab, [...others, [name, snapshot] satisfies [string, Kept]].slice(-NAMES));
    await this.#area.set({ [KEY]: [...byTab].slice(-TABS) });
  }

  /** The last snapshot of a tab, or the one with a name. */
  async find(tab: number, name: string): Promise<Kept | undefined> {
    const kept = (await this.#read()).get(tab) ?? [];
    return (name ? kept.find(([known]) => known === name) : kept.at(-1))?.[1];
  }

  async names(tab: number): Promise<string[]> {
    return ((await this.#read()).get(tab) ?? []).flatMap(([name]) => name || []);
  }

  async forget(tab: number) {
    const byTab = await this.#read();
    if (byTab.delete(tab)) await this.#area.set({ [KEY]: [...byTab] });
  }

  async #read(): Promise<Map<number, [string, Kept][]>> {
    const { [KEY]: kept = [] } = await this.#area.get(KEY);
    return new Map(kept as [number, [string, Kept][]][]);
  }
}

export const memorySnapshots = new Snapshots(chrome.storage.session);
