// The debugger's calls for one script, each bounded by the script's deadline, after which what the page runs is stopped.

import { aborted } from '../../shared/aborted.ts';
import type { Failure } from '../failure.ts';
import type { Attachment } from '../tabs/debugger.ts';
import { type StopReason, stopped } from '../tabs/stop_reasons.ts';
import { HOLD } from './page_functions.ts';
import type { Ask } from './values.ts';

/** A page that is not busy answers within this time; else it is taken to hang. */
const ANSWERS_MS = 200;

/** A running script is stopped within this time, if it is one of ours. */
const STOPS_MS = 400;

/** How long, and how often, what an abandoned script goes on with is looked at. */
const WATCH_MS = 5_000;
const LOOK_MS = 300;

/** The longest time to attach and compile where a page is not busy; the script's own time does not include it. */
const PREPARES_MS = 300;

/** The names of our scripts, by which one is recognised to be stopped. A page's script of such a name would be stopped. */
const OURS = 'gasoline-execute-';

/** One name for all that is not the user's: the same text under the same name is compiled once in a page. */
const READER = `${OURS}reader`;

const LATE = Symbol('late');

let count = 0;

export class PageSession {
  readonly name = `${OURS}${++count}`;
  /** What the page is doing, for the error message; undefined before the script runs. */
  doing: string | undefined;
  /** It waits no more for what the script waits for; what that leads to is stopped as long as the tab stays attached. */
  isAbandoned = false;
  #attachment;
  #timeout;
  #deadline;
  #signal;
  #ended = new AbortController();
  #aborted: Promise<never>;

  constructor(attachment: Attachment, timeout: number, signal: AbortSignal) {
    this.#attachment = attachment;
    this.#timeout = timeout;
    this.#deadline = performance.now() + timeout + PREPARES_MS;
    this.#signal = signal;
    this.#aborted = new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: this.#ended.signal });
    });
    this.#aborted.catch(() => {}); // it may be aborted between two calls
  }

  /** Wait until a script can run; `guarded`: until all that it does can be stopped. */
  async ready(guarded: boolean): Promise<void> {
    const { runs } = this.#attachment;
    if (guarded || this.#attachment.isShared) await this.guarded();
    await this.#within(runs);
  }

  async guarded(): Promise<void> {
    await this.#within(this.#attachment.guarded);
  }

  /** Note that the script runs: its own time begins. */
  start() {
    this.doing = 'running';
    this.#deadline = Math.min(this.#deadline, performance.now() + this.#timeout);
  }

  get leftMs(): number {
    return this.#deadline - performance.now();
  }

  /** Call a method of the protocol. */
  ask: Ask = (method, params = {}) => {
    const { functionDeclaration } = params;
    const whole = functionDeclaration ? { ...params, functionDeclaration: named(functionDeclaration) } : params;
    return this.#within(this.#attachment.ask(method, whole));
  };

  /** Evaluate the script. Without a wait in it the page itself ends it, at most `slackMs` after its time. */
  evaluate(expression: string, slackMs: number): Promise<any> {
    const timeout = Math.max(1, Math.ceil(this.leftMs));
    const params = { expression, timeout, silent: true, objectGroup: this.name };
    return this.#within(this.#attachment.ask('Runtime.evaluate', params), slackMs);
  }

  /** Call a function of ours with an object of the page as `this`. */
  call(objectId: string, functionDeclaration: string): Promise<any> {
    return this.ask('Runtime.callFunctionOn', { objectId, functionDeclaration, objectGroup: this.name, silent: true });
  }

  /** Put an object into a holder; give the holder's id. */
  async hold(objectId: string): Promise<string> {
    return (await this.call(objectId, HOLD)).result.objectId;
  }

  async pause(ms: number): Promise<void> {
    await this.#within(new Promise((done) => setTimeout(done, ms)));
  }

  /** Release the objects of the page. */
  end() {
    this.#ended.abort();
    this.#attachment.ask('Runtime.releaseObjectGroup', { objectGroup: this.name }).catch(() => {});
  }

  /** Stop the script, whose time is over; give the failure to throw. */
  async overdue(): Promise<Failure> {
    const reason = this.doing === undefined ? 'unstarted' : await this.#stop();
    this.#signal.throwIfAborted();
    return this.#stoppedAs(reason);
  }

  #stoppedAs(reason: StopReason): Failure {
    return stopped(reason, this.doing ?? '', this.#timeout);
  }

  async #within<T>(work: Promise<T>, slackMs: number = 0): Promise<T> {
    let timer: any;
    const late = new Promise((done) => {
      timer = setTimeout(done, this.leftMs + slackMs, LATE);
    });
    try {
      const result = await Promise.race([work, late, this.#aborted]);
      if (result !== LATE) return result as T;
    } catch (fault) {
      if (/terminated/.test(String(fault)) && !this.#signal.aborted) throw this.#stoppedAs('loop');
      if (!this.#signal.aborted || fault !== this.#signal.reason) throw fault;
    } finally {
      clearTimeout(timer);
    }
    throw await this.overdue();
  }

  /** Stop what the page runs of ours; give what that was. */
  async #stop(): Promise<StopReason> {
    this.#attachment.guarded.catch(() => {}); // else a page that hangs is not paused
    const isFree = await answers(this.#attachment);
    const isOurs = (url: string) => url === this.name || url === READER;
    if (!isFree && (await this.#attachment.stop(isOurs, STOPS_MS))) return 'loop';
    this.isAbandoned = true;
    this.#watch().catch(() => {}); // the page was left, or the debugging ended
    return isFree || (await answers(this.#attachment)) ? 'promise' : 'busy';
  }

  /** Stop what the script goes on with, as after a wait: on a busy machine it may be late, and a loop. */
  async #watch() {
    const attachment = this.#attachment;
    for (const until = performance.now() + WATCH_MS; performance.now() < until; ) {
      await Promise.race([new Promise((done) => setTimeout(done, LOOK_MS)), aborted(attachment.gone)]);
      if (await answers(attachment)) continue;
      if (await attachment.stop((url) => url === this.name, WATCH_MS)) return;
    }
  }
}

/** Whether the page runs what it is asked to. */
function answers(attachment: Attachment): Promise<boolean> {
  const answer = attachment.ask('Runtime.evaluate', { expression: '0', silent: true });
  const late = new Promise((done) => setTimeout(done, ANSWERS_MS, LATE));
  return Promise.race([answer, late]).then(
    (result) => result !== LATE,
    () => true,
  );
}

/**
 * Name a function of ours, so that it can be stopped. It is strict: for any other function, Error.prepareStackTrace hands
 * the value of `this` to the page, whose getters would change what is read next.
 */
function named(declaration: string) {
  return `(()=>{'use strict';return ${declaration}})()\n//# sourceURL=${READER}\n`;
}
