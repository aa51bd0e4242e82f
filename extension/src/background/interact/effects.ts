// Follows what an action causes after its reply, and tells the journal of it; it must not keep a reply waiting.
//
// An effect has one window a tab: from the action until none of its requests has been under way for a moment, 10 s after
// the reply at most, or until the next action. Two events tell of it: `settled` goes before the reply, `ended` when the window
// closes. If the worker dies in between, the first one stands alone.
//
// Time alone cannot tell what the action caused from what the page does anyway: a request belongs to an effect only if
// it began while one of the effect's was under way, or within GRACE_MS of that; how late it was is told of each.

import type { EffectEvent, EffectRequest, EffectStorage } from '../../shared/events.ts';
import { type Exchange, Network } from '../navigate/requests.ts';

export type AskPage = (name: string, query: object) => Promise<any>;

/** The longest that is followed after a reply. */
export const WINDOW_MS = 10_000;

/** So long after the last request, or the reply, what comes may still be its: a handler that asks for more, a debounce. */
export const GRACE_MS = 500;

/** The most requests that are told, and characters of an address. */
const REQUESTS = 100;
const URL_CHARACTERS = 500;

/** Random digits of an id, after a letter. */
const DIGITS = 5;

/** What effects are given to work with. */
export interface Desk {
  /** To the journal; resolved when it is on its way there */
  say: (event: EffectEvent) => Promise<unknown>;
  /** Whether what happens in the tab may be kept */
  captured: (tab: number) => Promise<boolean>;
}

/** The effects of one worker: at most one a tab is open. */
class Effects {
  #open: Map<number, Effect> = new Map();
  #desk: Desk | undefined;

  use(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Begin to watch an action. What the tab's last one causes from now on is not told apart from it: its window closes.
   * @param ask the page that the action is done in
   */
  begin(tab: number, action: string, ask: AskPage): Effect {
    this.close(tab);
    const desk = this.#desk as Desk;
    const effect = new Effect(tab, action, ask, desk, () => this.#open.get(tab) === effect && this.#open.delete(tab));
    this.#open.set(tab, effect);
    return effect;
  }

  /** Close a tab's window, because something else acts there now. */
  close(tab: number) {
    this.#open.get(tab)?.end();
  }
}

/** One for all that acts in pages. */
export const effects = new Effects();

/** What one action causes. */
export class Effect {
  id = newId();
  network;
  #at = Date.now();
  #replied = 0;
  #over = false;
  #head: Pick<EffectEvent, 'id' | 'action' | 'tab'>;
  #storage: EffectStorage[] = [];
  #captured = false;
  #ask;
  #desk;
  #forget;

  constructor(tab: number, action: string, ask: AskPage, desk: Desk, forget: () => void) {
    this.network = new Network(tab);
    this.#head = { id: this.id, action, tab };
    this.#ask = ask;
    this.#desk = desk;
    this.#forget = forget;
  }

  /** The action was not done: there is nothing to follow. */
  drop() {
    this.#over = true;
    this.network.end();
    this.#forget();
  }

  /**
   * Go on after the reply, which is given now.
   * @param seen by the page, if it is still there
   */
  async follow(seen?: { at: number; storage: EffectStorage[] }) {
    this.#replied = performance.now();
    this.#captured = await this.#desk.captured(this.#head.tab);
    if (seen) this.#at = seen.at; // the page's own clock, by which its events are told
    this.#storage = seen?.storage ?? [];
    await this.#say({ phase: 'settled', settled_ms: this.#since(this.#replied), storage: this.#storage });
    this.#wait();
  }

  /** Close the window. */
  async end() {
    if (this.#over) return;
    this.#over = true;
    this.network.end();
    this.#forget();
    if (!this.#replied) return; // it was never told
    const ended = performance.now();
    const { dom, storage = [] } = await this.#ask('aftermath', { id: this.id });
    const late = storage.map((change: EffectStorage) => ({ ...change, late: true }));
    const told = {
      settled_ms: this.#since(this.#replied),
      window_ms: this.#since(ended),
      storage: [...this.#storage, ...late],
    };
    await this.#say({ phase: 'ended', ...told, ...(dom && { dom }) });
  }

  async #wait() {
    for (;;) {
      const since = performance.now() - this.#replied;
      const left = Math.min(GRACE_MS - Math.min(since, this.network.quietMs), WINDOW_MS - since);
      if (this.#over || left <= 0) break;
      await new Promise((done) => setTimeout(done, left));
    }
    await this.end();
  }

  #say({ phase, settled_ms, window_ms, ...seen }: Omit<EffectEvent, 'type' | 'ts' | 'id' | 'action' | 'tab'>) {
    const times = { phase, settled_ms, ...(window_ms !== undefined && { window_ms }) };
    const requests = chainOf(this.network.exchanges, this.#replied);
    const rest = this.#captured
      ? { ...seen, ...requestsOf(requests, this.network.begun) }
      : { uncaptured: true as true };
    return this.#desk.say({ type: 'effect', ts: this.#at, ...this.#head, ...times, ...rest });
  }

  #since(time: number) {
    return Math.round(time - this.network.begun);
  }
}

/**
 * Choose the requests that an action may have caused.
 * @param exchanges in order
 * @returns those that began before its reply, or while one of them was under way, or soon after
 */
export function chainOf(exchanges: Exchange[], replied: number): Exchange[] {
  let until = replied + GRACE_MS;
  return exchanges.filter(({ start, end }) => {
    if (start > until) return false;
    until = Math.max(until, (end ?? Infinity) + GRACE_MS);
    return true;
  });
}

function requestsOf(exchanges: Exchange[], begun: number): { requests: EffectRequest[]; omitted?: number } {
  const requests = exchanges.slice(0, REQUESTS).map(({ url, method, type, start, end, status, error }) => ({
    url: url.slice(0, URL_CHARACTERS),
    method,
    kind: type,
    after_ms: Math.max(0, Math.round(start - begun)),
    ...(status && { status }),
    ...(end !== null && { duration_ms: Math.round(end - start) }),
    ...(error && { error }),
  }));
  return { requests, ...(exchanges.length > REQUESTS && { omitted: exchanges.length - REQUESTS }) };
}

/** Returns short, for it is in every reply; a session has thousands of them, not millions */
function newId(): string {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint32Array(1 + DIGITS));
  return (10 + (first % 26)).toString(36) + others.map((one) => (one % 36).toString(36)).join('');
}
