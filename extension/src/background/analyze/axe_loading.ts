// Loads axe into documents: one load a document however many ask for it, and 5 s between a failure and the next try.

export type LoadState = 'UNLOADED' | 'LOADING' | 'LOADED' | 'FAILED';

type LoadEvent = 'load' | 'found' | 'succeeded' | 'failed';

/** Seed 000, axe-core Lazy Loading. `found`: axe is there already, from an earlier life of this worker. */
export const TRANSITIONS: Record<LoadState, Partial<Record<LoadEvent, LoadState>>> = {
  UNLOADED: { load: 'LOADING', found: 'LOADED' },
  LOADING: { succeeded: 'LOADED', failed: 'FAILED' },
  LOADED: {},
  FAILED: { load: 'LOADING', found: 'LOADED' },
};

export const RETRY_MS = 5000;

/** Documents whose state is known: those that were left are never asked for again. */
const KNOWN = 500;

type Load = { state: LoadState; under_way?: Promise<void>; fault?: unknown; failedAt: number };

export class AxeLoading {
  #loads: Map<string, Load> = new Map();
  #now;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  stateOf(document: string): LoadState {
    return this.#loads.get(document)?.state ?? 'UNLOADED';
  }

  /** Note that a document has axe. */
  found(document: string) {
    this.#change(this.#of(document), 'found');
  }

  /** Wait until a document has axe; `inject` brings it there. Throws what the last load failed with. */
  async ensure(document: string, inject: () => Promise<void>): Promise<void> {
    const load = this.#of(document);
    if (load.state === 'LOADED') return;
    if (load.state === 'FAILED' && this.#now() - load.failedAt < RETRY_MS) throw load.fault;
    if (load.state !== 'LOADING') {
      this.#change(load, 'load');
      load.under_way = this.#run(load, inject);
    }
    await load.under_way;
  }

  async #run(load: Load, inject: () => Promise<void>) {
    try {
      await inject();
      this.#change(load, 'succeeded');
    } catch (fault) {
      load.fault = fault;
      load.failedAt = this.#now();
      this.#change(load, 'failed');
      throw fault;
    }
  }

  #change(load: Load, event: LoadEvent) {
    load.state = TRANSITIONS[load.state][event] ?? load.state;
  }

  #of(document: string): Load {
    const load = this.#loads.get(document) ?? { state: 'UNLOADED', failedAt: 0 };
    this.#loads.set(document, load);
    for (const oldest of [...this.#loads.keys()].slice(0, -KNOWN)) this.#loads.delete(oldest);
    return load;
  }
}
