// Says who may act in a tab now, so that two assistants never interleave there; it must not act.
//
// Whoever acts in a tab holds it, while the act lasts and for a moment after it: the next step of the same task finds
// the tab as it was left. Another waits its turn, WAIT_MS at most. A client that asked for a lease holds it longer.

import { Failure } from '../failure.ts';
import type { Client } from '../link/messages.ts';

/** How long a tab stays with who has acted there, unless it asked for more: assistants take that between two steps. */
export const HELD_MS = 3000;

/** The longest wait for another's tab: most clients give up a call after some 10 s. */
export const WAIT_MS = 5000;

export interface Lease {
  client: Client;
  /** For so long after each act */
  heldMs: number;
  /** Ms since the epoch; while it acts, from the beginning of the act */
  until: number;
}

/** What the leases are given to work with. */
export interface World {
  /** Outlives the worker */
  area: { get: (key: string) => Promise<Record<string, any>>; set: (items: Record<string, unknown>) => Promise<void> };
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
  now: () => number;
}

const KEY = 'leases';

/** The leases of one browser. */
export class Leases {
  #world;
  #restored: Promise<void> | undefined;
  /** By tab */
  #leases: Map<number, Lease> = new Map();
  /** Who acts in a tab now, also where the lease was given back meanwhile */
  #busy: Map<number, Client> = new Map();
  /** Who waits for a tab to be free, in order */
  #waiting: Map<number, Set<() => void>> = new Map();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Act in a tab when it is this client's turn, alone.
   * @throws `tab_leased`
   */
  async hold<R>(tab: number, client: Client, signal: AbortSignal, act: () => Promise<R>): Promise<R> {
    await (this.#restored ??= this.#restore());
    await this.#turn(tab, client, signal);
    const heldMs = this.#held(tab, client)?.heldMs ?? HELD_MS;
    this.#set(tab, { client, heldMs, until: this.#world.now() + heldMs });
    try {
      return await act();
    } finally {
      this.#busy.delete(tab);
      const lease = this.#leases.get(tab);
      if (lease?.client.id === client.id) this.#set(tab, { ...lease, until: this.#world.now() + lease.heldMs });
      this.#wake(tab);
    }
  }

  /** Keep a tab for the client that acts there now, for so long after this act and each that follows. */
  keep(tab: number, client: Client, heldMs: number) {
    this.#set(tab, { client, heldMs, until: this.#world.now() + heldMs });
  }

  /**
   * Give a client's tabs back.
   * @param tab every one that it has, if absent
   * @returns those that it had
   */
  async release(client: Client, tab?: number): Promise<number[]> {
    await (this.#restored ??= this.#restore());
    const held = [...this.#leases.keys()].filter((one) => (tab ?? one) === one && this.#held(one, client));
    for (const one of held) this.#forget(one);
    return held;
  }

  /** Forget who holds a tab: it was closed, or given back. */
  async forget(tab: number) {
    await (this.#restored ??= this.#restore());
    this.#forget(tab);
  }

  /** Forget every lease: nobody may act any more. */
  async forgetAll() {
    await (this.#restored ??= this.#restore());
    for (const tab of [...this.#leases.keys()]) this.#forget(tab);
  }

  #forget(tab: number) {
    if (this.#leases.delete(tab)) this.#store();
    this.#wake(tab);
  }

  /** Returns the lease that this client has there and that has not run out */
  #held(tab: number, client: Client): Lease | undefined {
    const lease = this.#leases.get(tab);
    return lease?.client.id === client.id && lease.until > this.#world.now() ? lease : undefined;
  }

  /** Wait until a tab is free for a client, and take it. */
  async #turn(tab: number, client: Client, signal: AbortSignal) {
    const end = this.#world.now() + WAIT_MS;
    for (;;) {
      const [busy, lease, now] = [this.#busy.get(tab), this.#leases.get(tab), this.#world.now()];
      const holder = busy ?? (lease && lease.until > now ? lease.client : undefined);
      const foreign = holder !== undefined && holder.id !== client.id;
      if (!busy && !foreign) {
        this.#busy.set(tab, client); // in one turn with the look, or two would see it free
        return;
      }
      const [left, falls] = [end - now, busy ? 0 : (lease as Lease).until - now]; // an act may end at any moment
      if (foreign && (left <= 0 || falls > WAIT_MS)) throw this.#leased(tab, holder);
      await this.#news(tab, Math.max(1, foreign ? Math.min(left, falls || left) : WAIT_MS), signal); // its own act: in its time
      signal.throwIfAborted();
    }
  }

  /** Wait until a tab may be free: it was given back, its time is up, or nobody wants it any more. */
  #news(tab: number, ms: number, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(tab) ?? new Set();
    this.#waiting.set(tab, waiting);
    return new Promise((done) => {
      const go = () => {
        this.#world.clock.clearTimeout(timer);
        signal.removeEventListener('abort', go);
        waiting.delete(go);
        done();
      };
      const timer = this.#world.clock.setTimeout(go, ms);
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
    const now = this.#world.now();
    const lasting = [...this.#leases].filter(([, { until }]) => until > now);
    this.#world.area.set({ [KEY]: lasting }).catch(() => {}); // then they last as long as this worker
  }

  async #restore() {
    const stored = await this.#world.area.get(KEY).catch(() => undefined);
    for (const [tab, lease] of stored?.[KEY] ?? []) if (!this.#leases.has(tab)) this.#leases.set(tab, lease);
  }

  /** @param client who has it */
  #leased(tab: number, client: Client) {
    const until = this.#leases.get(tab)?.until ?? 0;
    const left_s = Math.max(1, Math.ceil((until - this.#world.now()) / 1000));
    const holder = client.name || 'another assistant';
    return new Failure('tab_leased', `Tab ${tab} is held by ${holder}, for ${left_s} s unless it acts again.`, {
      details: { tab_id: tab, holder, expires_in_s: left_s },
      recovery: 'Act in another tab, or call again then.',
    });
  }
}
