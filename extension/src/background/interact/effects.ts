// Records what an action causes, also after its reply, and reports it to the journal. It delays no reply.
//
// An effect has one window a tab: from the action until GRACE_MS after its last request, at most WINDOW_MS after the
// reply, or until the next action. It is reported by two events: `settled` is sent before the reply, `ended` when the
// window closes. If the worker dies in between, only the first one exists.
//
// Time alone does not separate the action's requests from those that the page makes anyway: a request belongs to an
// effect only if it began while one of the effect's was running, or within GRACE_MS of that; each has its delay.

import type { EffectEvent, EffectRequest, EffectStorage } from '../../shared/events.ts';
import { OpenedTabs } from '../navigate/opened_tabs.ts';
import { type Exchange, TabRequests } from '../navigate/requests.ts';
import { isClosedNow } from '../tabs/excluded_sites.ts';
import type { Tab } from '../tabs/tabs.ts';
import { Downloads } from './downloads.ts';
import { judged, type Prompt } from './prompts.ts';

type AskPage = (name: string, query: object) => Promise<any>;

const WINDOW_MS = 10_000;

/** A request so soon after the last one, or after the reply, belongs to the effect: a follow-up, or a debounce. */
export const GRACE_MS = 500;

/** The most requests in an event, and characters of an address. */
const REQUESTS = 100;
const URL_CHARACTERS = 500;

/** Random digits of an id, after its first letter. */
const DIGITS = 5;

export interface Dependencies {
  /** Sends an event to the journal; resolved when it is in the outbox. */
  report: (event: EffectEvent) => Promise<unknown>;
  /** Whether events of the tab may be kept. */
  isCaptured: (tab: number) => Promise<boolean>;
}

/** The open effects, at most one a tab. */
class Effects {
  #open: Map<number, Effect> = new Map();
  /** The requests of the last action of each tab whose window has closed. */
  #ended: Map<number, Exchange[]> = new Map();
  #dependencies: Dependencies | undefined;

  use(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Begin to record an action. The window of the tab's last one closes: their requests could not be separated. */
  begin(place: Tab, action: string, ask: AskPage): Effect {
    const { id: tab } = place;
    this.close(tab);
    this.#ended.delete(tab);
    const dependencies = this.#dependencies as Dependencies;
    const effect = new Effect(place, action, ask, dependencies, () => {
      if (this.#open.get(tab) !== effect) return;
      this.#open.delete(tab);
      this.#ended.set(tab, effect.network.exchanges);
    });
    this.#open.set(tab, effect);
    return effect;
  }

  /** The requests of a tab's last action, until another command acts there: an assistant asks seconds later. */
  exchangesOf(tab: number): Exchange[] {
    return this.#open.get(tab)?.network.exchanges ?? this.#ended.get(tab) ?? [];
  }

  /** Close a tab's window, because another command acts there now. */
  close(tab: number) {
    this.#open.get(tab)?.end();
    this.#ended.delete(tab);
  }
}

export const effects = new Effects();

/** Wrap what acts in a tab so that the effect of the tab's last action ends before. */
export function endingEffect<More extends unknown[], Result>(act: (tab: Tab, ...more: More) => Result) {
  return (tab: Tab, ...more: More): Result => {
    effects.close(tab.id);
    return act(tab, ...more);
  };
}

export class Effect {
  id = newId();
  network;
  downloads;
  opened;
  #at = Date.now();
  #replied = 0;
  #over = false;
  #head: Pick<EffectEvent, 'id' | 'action' | 'tab'>;
  #storage: EffectStorage[] = [];
  #captured = false;
  #ask;
  #dependencies;
  #forget;

  constructor(place: Tab, action: string, ask: AskPage, dependencies: Dependencies, forget: () => void) {
    const { id: tab, url = '' } = place;
    this.network = new TabRequests(tab);
    this.opened = new OpenedTabs(place);
    this.downloads = new Downloads(url, () => this.network.exchanges, isClosedNow);
    this.#head = { id: this.id, action, tab };
    this.#ask = ask;
    this.#dependencies = dependencies;
    this.#forget = forget;
  }

  /** Whether its window has closed. */
  get over(): boolean {
    return this.#over;
  }

  /** Restart the record of an action that begins only now. */
  restart() {
    if (this.#over) return;
    this.network.end();
    this.network = new TabRequests(this.#head.tab);
    this.#at = Date.now();
  }

  /** End the record of an action that was not done. */
  drop() {
    this.network.exchanges = [];
    this.#stop();
  }

  /** Report the effect so far, right before the reply, and continue after it. `seen`: by the page, if it is there. */
  async follow(seen?: { at: number; storage: EffectStorage[] }) {
    this.#replied = performance.now();
    this.#captured = await this.#dependencies.isCaptured(this.#head.tab);
    if (seen) this.#at = seen.at; // by the page's own clock, as its events are
    this.#storage = seen?.storage ?? [];
    await this.#report({ phase: 'settled', settled_ms: this.#since(this.#replied), storage: this.#storage });
    this.#wait();
  }

  /** Close the window. */
  async end() {
    if (this.#over) return;
    this.#stop();
    if (!this.#replied) return; // it was never reported
    const ended = performance.now();
    const { dom, storage = [], prompts = [] } = await this.#ask('late_changes', { id: this.id });
    const late = storage.map((change: EffectStorage) => ({ ...change, late: true }));
    const times = {
      settled_ms: this.#since(this.#replied),
      window_ms: this.#since(ended),
      storage: [...this.#storage, ...late],
      ...(await this.downloads.all()),
      ...(this.opened.all.length && { opened_tabs: this.opened.all }),
      ...this.#blockedAmong(prompts),
    };
    await this.#report({ phase: 'ended', ...times, ...(dom && { dom }) });
  }

  #blockedAmong(prompts: Prompt[]): { blocked?: string[] } {
    const last = this.opened.all.at(-1);
    const { blocked } = judged(prompts, last === undefined ? {} : { opened_tab: last }, false);
    return blocked ? { blocked } : {};
  }

  #stop() {
    this.#over = true;
    this.network.end();
    this.downloads.end();
    this.opened.end();
    this.#forget();
  }

  async #wait() {
    for (;;) {
      const since = performance.now() - this.#replied;
      const quiet = this.downloads.busy ? 0 : Math.min(since, this.network.quietMs);
      const left = Math.min(GRACE_MS - quiet, WINDOW_MS - since);
      if (this.#over || left <= 0) break;
      await new Promise((done) => setTimeout(done, left));
    }
    await this.end();
  }

  #report({ phase, settled_ms, window_ms, ...seen }: Omit<EffectEvent, 'type' | 'ts' | 'id' | 'action' | 'tab'>) {
    const times = { phase, settled_ms, ...(window_ms !== undefined && { window_ms }) };
    const requests = chainOf(this.network.exchanges, this.#replied);
    const rest = this.#captured
      ? { ...seen, ...requestsOf(requests, this.network.begun) }
      : { uncaptured: true as true };
    return this.#dependencies.report({ type: 'effect', ts: this.#at, ...this.#head, ...times, ...rest });
  }

  #since(time: number) {
    return Math.round(time - this.network.begun);
  }
}

/** Choose the requests, in order, that began before the reply, while one of them was running, or soon after one. */
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

/** Make a short id, for it is in every reply; a session has thousands of them, not millions. */
function newId(): string {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint32Array(1 + DIGITS));
  return (10 + (first % 26)).toString(36) + others.map((one) => (one % 36).toString(36)).join('');
}
