// Performs an action that changes the page, and reports what was measured of it (seed 001); the diff worker judges that.

import type { PageFaults } from '../../shared/counted_faults.ts';
import { type Elapsed, PAUSE_MS, QUIET_MS } from '../../shared/idle_rule.ts';
import { comesToRest } from '../navigate/coming_to_rest.ts';
import { ANSWER_MS, within } from '../navigate/load_history.ts';
import type { Opened } from '../navigate/opened_tabs.ts';
import { documentOf, outcomeOf, whereTabIs } from '../navigate/outcome.ts';
import { faultsOf } from '../navigate/page_faults.ts';
import { type Passage, waitForPassage } from '../navigate/passage.ts';
import { noteTyping } from '../tabs/arrival.ts';
import { askPage, contentOf } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import { accessibilityAround } from './accessibility_audit.ts';
import { type CdpInput, cdpInput } from './cdp_input.ts';
import { type Effect, effects } from './effects.ts';
import { isByDialog, keepInterrupted } from './interrupted_actions.ts';
import { measuredOf } from './measurements.ts';
import { askPageIfThere, askPageOnce, resultIfThere } from './page_steps.ts';
import { judged, type Prompt } from './prompts.ts';
import { CAP_MS, type Seen, waitUntilIdle } from './wait_until_idle.ts';

type Query = Record<string, unknown>;

type Done = { detached?: boolean; waits?: boolean } | void;

/** A look at a page after an action; `kept` and `record`: what it reports of the action, once it is idle. */
type Look = Seen & { kept?: { prompts?: Prompt[] }; record?: any };

/** What an action of several steps in the page is performed with. */
export interface Steps {
  /** Sends the first step, which begins the action. */
  begin: (name: string, query: Query) => Promise<Done>;
  /** Sends a further step; answered `gone` by every page but the one that the action began in. */
  next: (name: string, more?: object) => Promise<any>;
  /** Sends a last step, also after the call was aborted. */
  cancel: (name: string) => Promise<unknown>;
  /** Waits until the page is idle, and checks that what was done holds. */
  untilIdle: () => Promise<Seen>;
  wait: (ms: number) => Promise<unknown>;
}

export type InPage = (query: Query, steps: Steps) => Promise<Done>;

const clock = {
  now: () => performance.now(),
  wait: (ms: number) => new Promise((done) => setTimeout(done, ms)),
};

/** The longest wait, after a dialog, for the answers to what was asked before it. */
const RESUMED_MS = 5_000;

/** The actions whose effect a page may put off until the keys rest. */
const TYPING: unknown[] = ['type', 'key_press', 'fill_form'];

const inOneStep: InPage = (query, { begin }) => begin('perform', query);

/** Make the handler of an action: its steps in the page, and the real input that it has for `trusted`. */
export function mutating({ inPage = inOneStep, input }: { inPage?: InPage; input?: CdpInput } = {}) {
  return async (tab: Tab, query: Query, signal: AbortSignal): Promise<object> => {
    const accessibility = await accessibilityAround(tab, query, signal);
    const session = input && query['trusted'] === true ? await cdpInput(tab, input, signal) : undefined;
    const effect = effects.begin(tab, String(query['action']), (name, asked) => resultIfThere(tab, name, asked));
    const mutation = new Mutation(tab, query, effect, signal);
    const act = async () => {
      const done = await mutation.perform((whole, steps) => session?.perform(whole, signal) ?? inPage(whole, steps));
      const seen = await mutation.observe();
      return mutation.reply(seen, await accessibility.found(signal), done);
    };
    try {
      return await mutation.run(act, signal);
    } catch (fault) {
      if (!mutation.isInterrupted) mutation.abandon(); // else its dialog's answer goes on with it
      throw fault;
    } finally {
      session?.end();
    }
  };
}

/** One action in one page. */
class Mutation {
  #tab;
  #query: Query;
  #effect;
  #signal;
  #begun = clock.now();
  #tookMs = 0;
  #settled = true;
  #kept: object = {};
  #prompts: Prompt[] = [];
  #passage: Passage = 'none';
  #rest: Look | undefined;
  /** What is done at the moment; it goes on when the dialog is answered that has interrupted it. */
  #running: Promise<object> = Promise.resolve({});
  /** A dialog has interrupted it. */
  isInterrupted = false;

  constructor(tab: Tab, query: Query, effect: Effect, signal: AbortSignal) {
    this.#tab = tab;
    this.#query = { analyze: false, ...query, id: effect.id };
    this.#effect = effect;
    this.#signal = signal;
  }

  /** Do a part of the action, to its end or until a dialog interrupts it. */
  async run(part: () => Promise<object>, signal: AbortSignal): Promise<object> {
    this.#signal = signal;
    const interrupt = () => {
      if (!isByDialog(signal)) return;
      this.isInterrupted = true;
      keepInterrupted(this.#tab.id, this);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    this.#running = part();
    try {
      return await this.#running;
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  /** Go on after the dialog: what was asked of the page before it opened is answered first. */
  async resume(signal: AbortSignal): Promise<object> {
    if (this.#effect.over) return {}; // another action was begun meanwhile
    const before = this.#running.catch(() => undefined);
    const rest = async () => {
      const reply = await Promise.race([before, clock.wait(RESUMED_MS)]);
      signal.throwIfAborted(); // by a further dialog
      if (reply) return reply;
      await this.#rests();
      return this.reply(await this.observe());
    };
    return this.run(rest, signal);
  }

  async perform(by: (query: Query, steps: Steps) => Promise<Done>): Promise<Done> {
    const done = await by(this.#query, this.#steps());
    await this.#rests();
    return done;
  }

  /** Wait until the page is idle, or another one has come. */
  async #rests() {
    if (!this.#rest?.record) {
      const rest = await this.#untilIdle('rest');
      this.#settled = rest.settled;
      this.#rest = rest;
    }
    this.#signal.throwIfAborted();
    if (TYPING.includes(this.#query['action'])) noteTyping(this.#tab.id);
    this.#passage = await waitForPassage(this.#tab, () => this.#effect.network.exchanges, this.#signal);
  }

  /** Check that the change has lasted, and fetch what the page recorded. */
  async observe() {
    const { kept = {}, record } = await this.#reported();
    const { prompts = [], ...shown } = kept;
    this.#kept = shown;
    this.#prompts = prompts;
    const { after, requests, ...seen } = record ?? { gone: true };
    this.#effect.network.complete(requests);
    this.#tookMs = clock.now() - this.#begun;
    await this.#effect.follow(after);
    return seen;
  }

  /** What the page reports of the action: it has, unless a document was requested or the page was left. */
  async #reported(): Promise<Partial<Look>> {
    if (this.#passage === 'none' && this.#rest?.record) return this.#rest;
    if (this.#passage !== 'none' && this.#rest?.record) return {}; // the page was left after its report
    return contentOf(await askPageIfThere(this.#tab, 'report', { id: this.#effect.id })) ?? {};
  }

  /** `seen`: by the page; `found`: of its accessibility. */
  async reply(seen: any, found: object = {}, done?: Done): Promise<object> {
    const { id, opened, downloads } = this.#effect;
    const tabs = await opened.described(this.#signal);
    const saved = await downloads.settled(tabs.opened_closed === true, this.#signal);
    const head = { success: true, action: this.#query['action'], effect: id };
    return { ...head, ...found, ...(await this.#outcome(seen, { ...tabs, ...saved }, done)) };
  }

  async #outcome(seen: any, opened: Opened, done: Done): Promise<object> {
    const { network } = this.#effect;
    const refused = judged(this.#prompts, opened, this.#query['trusted'] === true);
    const led = { ...outcomeOf(network.exchanges, this.#tab, seen.gone === true), ...opened, ...refused };
    if (seen.gone) return { ...led, ...(await this.#arrival()) };
    return {
      ...led,
      ...(done?.detached && { detached: true }),
      ...this.#kept,
      ...(!this.#settled && { settled: false }),
      measured: measuredOf(seen, network, this.#tookMs),
    };
  }

  /** Describe the page that the action has led to: the frame's, unless the whole tab has another. */
  async #arrival(): Promise<object> {
    const isOfTab = documentOf(this.#effect.network.exchanges, this.#tab)?.type === 'main_frame';
    const at = isOfTab ? { ...this.#tab, frame: 0 } : this.#tab;
    const rests = this.#passage === 'arrived' && (await comesToRest(at, this.#effect.network, this.#signal));
    const asked = within(ANSWER_MS, askPage(at, 'arrival', {}, this.#signal), '');
    const found = (await asked.catch(() => ({}))) as { url?: string; faults?: PageFaults }; // it is an error page, or goes on to another
    const { url, faults, ...shown } = found;
    this.#signal.throwIfAborted();
    if (at.frame && !url) return { frame_removed: true };
    const place = { ...(await whereTabIs(at)), ...(at.frame && { url }) };
    const effects = faultsOf(faults ?? {}, this.#effect.network);
    const measured = Object.keys(effects).length > 0 && { measured: { url: url ?? '', effects } };
    return { ...place, ...(this.#passage !== 'none' && !rests && { settled: false }), ...shown, ...measured };
  }

  /** Stop the observation in the page; no reply needs it. */
  abandon() {
    const { id } = this.#effect;
    this.#effect.drop();
    void resultIfThere(this.#tab, 'collect', { id }).then(() => resultIfThere(this.#tab, 'late_changes', { id }));
  }

  /** Begin now: what came before was not of the action, but of the injection that it waited for. */
  #restart() {
    this.#effect.restart();
    this.#begun = clock.now();
  }

  /** `rest`: the page reports what there is of the action as soon as it is idle; `pause`: the action goes on. */
  #untilIdle(name: 'rest' | 'pause') {
    const { id, network } = this.#effect;
    const signal = this.#signal;
    const look = async (elapsed: Elapsed): Promise<Look> => {
      const isLeaving = documentOf(network.exchanges, this.#tab) !== undefined;
      const asked = isLeaving ? 'activity' : name;
      const known = { id, ...elapsed, answered: network.answeredIn(this.#tab.frame ?? 0) };
      const seen = contentOf(await askPageIfThere(this.#tab, asked, known)) ?? { gone: true };
      if (!seen.record) signal.throwIfAborted(); // after a dialog the wait begins anew
      return seen;
    };
    const capMs = this.#query['analyze'] ? CAP_MS.analyze : CAP_MS.plain;
    return waitUntilIdle(look, network, { wantedMs: name === 'pause' ? PAUSE_MS : QUIET_MS, capMs }, clock);
  }

  #steps(): Steps {
    const { id } = this.#effect;
    const signal = this.#signal;
    return {
      begin: (name, query) => askPageOnce(this.#tab, name, query, signal, () => this.#restart()),
      next: async (name, more = {}) => {
        signal.throwIfAborted();
        return contentOf(await askPageIfThere(this.#tab, name, { id, ...more })) ?? { gone: true };
      },
      cancel: (name) => resultIfThere(this.#tab, name, { id, cancel: true }),
      untilIdle: () => this.#untilIdle('pause'),
      wait: clock.wait,
    };
  }
}
