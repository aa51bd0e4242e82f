// The leases of tabs, by which two assistants never interleave in one tab.
//
// A client that acts in a tab holds it during the act and HELD_MS after it: the next step of the same task finds the
// tab unchanged. Another client waits its turn, WAIT_MS at most. A client that asked for a lease holds it longer.

import { Failure } from '../failure.ts';
import type { Client } from '../link/messages.ts';

/** How long a client holds a tab after an act, unless it asked for more: the time of an assistant between two steps. */
export const HELD_MS = 3000;

/** The longest wait for another client's tab: most clients give up a call after some 10 s. */
export const WAIT_MS = 5000;

interface Lease {
  client: Client;
  /** How long it holds after each act. */
  heldMs: number;
  /** Ms since the epoch; during an act, counted from its beginning. */
  until: number;
}

export interface Dependencies {
  /** Outlives the worker. */
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
  now: () => number;
}

const KEY = 'leases';

export class Leases {
  #dependencies;
  #restored: Promise<void> | undefined;
  /** By tab. */
  #leases: Map<number, Lease> = new Map();
  /** The client that acts in a tab now, even if it has released the lease meanwhile. */
  #busy: Map<number, Client> = new Map();
  /** The calls that wait for a tab to be free, in order. */
  #waiting: Map<number, Set<() => void>> = new Map();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Act in a tab alone, when it is this client's turn, which it may have `waited` for; throws `tab_leased`. */
  async hold<R>(tab: number, client: Client, signal: AbortSignal, act: (waited: boolean) => Promise<R>): Promise<R> {
    await (this.#restored ??= this.#restore());
    const waited = await this.#turn(tab, client, signal);
    const heldMs = this.#held(tab, client)?.heldMs ?? HELD_MS;
    this.#set(tab, { client, heldMs, until: this.#dependencies.now() + heldMs });
    try {
      return await act(waited);
    } finally {
      this.#busy.delete(tab);
      const lease = this.#leases.get(tab);
      if (lease?.client.id === client.id) this.#set(tab, { ...lease, until: this.#dependencies.now() + lease.heldMs });
      this.#wake(tab);
    }
  }

  /** Change how long the client that acts in a tab now holds it after this act and each that follows. */
  keep(tab: number, client: Client, heldMs: number) {
    this.#set(tab, { client, heldMs, until: this.#dependencies.now() + heldMs });
  }

  /** Release a client's tab, or all of them; give those that it held. */
  async release(client: Client, tab?: number): Promise<number[]> {
    await (this.#restored ??= this.#restore());
    const held = [...this.#leases.keys()].filter((one) => (tab ?? one) === one && this.#held(one, client));
    for (const one of held) this.#forget(one);
    return held;
  }

  /** Drop the lease of a tab that was closed. */
  async forget(tab: number) {
    await (this.#restored ??= this.#restore());
    this.#forget(tab);
  }

  /** Drop every lease: assistants may not act any more. */
  async forgetAll() {
    await (this.#restored ??= this.#restore());
    for (const tab of [...this.#leases.keys()]) this.#forget(tab);
  }

  #forget(tab: number) {
    if (this.#leases.delete(tab)) this.#store();
    this.#wake(tab);
  }

  /** Give this client's lease of a tab, unless it has run out. */
  #held(tab: number, client: Client): Lease | undefined {
    const lease = this.#leases.get(tab);
    return lease?.client.id === client.id && lease.until > this.#dependencies.now() ? lease : undefined;
  }

  /** Wait until a tab is free for a client, and take it; give whether it had to wait. */
  async #turn(tab: number, client: Client, signal: AbortSignal): Promise<boolean> {
    const end = this.#dependencies.now() + WAIT_MS;
    for (let waited = false; ; waited = true) {
      const [busy, lease, now] = [this.#busy.get(tab), this.#leases.get(tab), this.#dependencies.now()];
      const holder = busy ?? (lease && lease.until > now ? lease.client : undefined);
      const foreign = holder !== undefined && holder.id !== client.id;
      if (!busy && !foreign) {
        this.#busy.set(tab, client); // without an await since the check, or two calls would find it free
        return waited;
      }
      const [left, falls] = [end - now, busy ? 0 : (lease as Lease).until - now]; // an act may end at any moment
      if (foreign && (left <= 0 || falls > WAIT_MS)) throw this.#leased(tab, holder);
      await this.#change(tab, Math.max(1, foreign ? Math.min(left, falls || left) : WAIT_MS), signal); // an act of its own ends by its own deadline
      signal.throwIfAborted();
    }
  }

  /** Wait until a tab may be free: it was released, the time is up, or the call is aborted. */
  #change(tab: number, ms: number, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(tab) ?? new Set();
    this.#waiting.set(tab, waiting);
    return new Promise((done) => {
      const go = () => {
        this.#dependencies.clock.clearTimeout(timer);
        signal.removeEventListener('abort', go);
        waiting.delete(go);
        done();
      };
      const timer = this.#dependencies.clock.setTimeout(go, ms);
      signal.addEventListener('abort', go);
      waiting.add(go);
    });
  }

  #wake(tab: number) {
    const waiting = this.#waiting.get(tab);
    this.#waiting.delete(tab);
    for (const go of [...(waiting ?? [])]) go();
  }

  #set(tab: number, lease: Lease) {
    this.#leases.set(tab, lease);
    this.#store();
  }

  #store() {
    const now = this.#dependencies.now();
    const lasting = [...this.#leases].filter(([, { until }]) => until > now);
    this.#dependencies.area.set({ [KEY]: lasting }).catch(() => {}); // then the leases last as long as this worker
  }

  async #restore() {
    const stored = await this.#dependencies.area.get(KEY).catch(() => undefined);
    for (const [tab, lease] of stored?.[KEY] ?? []) if (!this.#leases.has(tab)) this.#leases.set(tab, lease);
  }

  #leased(tab: number, client: Client) {
    const until = this.#leases.get(tab)?.until ?? 0;
    const left_s = Math.max(1, Math.ceil((until - this.#dependencies.now()) / 1000));
    const holder = client.name || 'another assistant';
    return new Failure('tab_leased', `Tab ${tab} is held by ${holder}, for ${left_s} s unless it acts again.`, {
      details: { tab_id: tab, holder, expires_in_s: left_s },
      recovery: 'Act in another tab, or call again then.',
    });
  }
}
