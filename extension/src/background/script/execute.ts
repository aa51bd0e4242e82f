// Runs a script in a page's own world and tells what came of it; it must not decide whether it may.
//
// The one way that works under every policy of a page, and the one that can stop a loop, is the debugger's. The page may
// have replaced its built-ins: nothing here calls one. A promise is not awaited in the page, its state is looked at;
// waits are timed here. A page that is busy all the time is not given the script, or it would run it when nobody
// waits for it any more.

import { obstacleOf } from '../../shared/obstacles.ts';
import { closedTo } from '../tabs/access.ts';
import { type Attachment, attach } from '../tabs/debugger.ts';
import { explained, stopped, UNSTARTED } from '../tabs/stop_reasons.ts';
import type { Tab } from '../tabs/tabs.ts';
import { type Details, placeIn, SCRIPT, stackOf, wordsFor } from './exceptions.ts';
import { scriptFrom, timeoutFrom } from './script_arguments.ts';
import { type Form, formsOf, LAST_FORM, proofOf, wrapped } from './script_wrappers.ts';
import { type Ask, describe, describePlain, type Remote } from './values.ts';

export type Dialog = { type: string; message: string };

/** How soon a page answers that is not busy; so late does the work of stopping begin. */
const ANSWERS_MS = 200;

/** How soon after its time the page itself ends a script that did not wait. */
const SLACK_MS = 150;

/** How soon a running script is stopped, if it is one. */
const STOPS_MS = 400;

/** How often a promise is looked at: at once, then more and more rarely. */
const LOOKS_MS = [0, 1, 2, 4, 8, 16, 30, 50];

/** The names of our scripts, for whom stops one. A page's script may take such a name: it would be stopped, no more. */
const OURS = 'gasoline-execute-';

/** One name for all that is not the user's: the same text under the same name is compiled once in a page. */
const READER = `${OURS}reader`;

/** Attaching and compiling take so long at most where a page is not busy; a script's own time does not include it. */
const PREPARES_MS = 300;

const LATE = Symbol('late');

const UNMATCHED = { error: 'SyntaxError: The brackets of the script do not match.', stack: '' };

/** Gives what a holder has, if it may be something to wait for; a text stays where it is. */
const PEEK = "function(){const v=this.v;return typeof v==='object'||typeof v==='function'?v:undefined}";

/**
 * Waits for a promise of the page's own making (zone.js, Bluebird), if there is one. Where every object has a `then`,
 * that tells nothing.
 */
const ADOPT =
  "function(){if('then' in {})return;const v=this.v;try{if(typeof v.then!=='function')return}catch{return}" +
  'const p=(async()=>({__proto__:null,v:await v}))();(async()=>{try{await p}catch{}})();return p}';

const HOLD = 'function(){return {__proto__:null,v:this}}';

/** Says whether a script gave a value, or threw an error whose message is too long to be sent with it. */
const GAVE = "function(){return'v'in this}";

/** An error's name and message, as they are read where no one has to be believed. */
const WORDS =
  'function(){const cut=t=>{let s="";for(let i=0;i<t.length&&i<2000;i++)s+=t[i];return t.length>2000?s+"…":s};' +
  "const e='e'in this?this.e:this.v;try{const n=e.name,m=e.message;const name=typeof n==='string'?n:'Error';" +
  "return cut(typeof m==='string'&&m!==''?name+': '+m:name)}catch{return'An error that cannot be read'}}";

let count = 0;

/**
 * Run a script in the top frame of a tab.
 * @param query `script`, `timeout_ms`
 * @param signal stops the script too
 * @throws import('./failure.js').Failure `invalid_params`, `payload_too_large`, `tab_not_scriptable`, `tab_not_found`, `execution_timeout`,
 *   `page_navigated`
 */
export async function execute(
  tab: Tab,
  { script, timeout_ms }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
  const source = scriptFrom(script);
  const timeout = timeoutFrom(timeout_ms);
  const obstacle = obstacleOf(tab);
  if (obstacle) throw closedTo(tab, obstacle);
  signal.throwIfAborted();
  const attachment = await attach(tab);
  const dialogs = [] as Dialog[];
  attachment.hearers.add(dialogs);
  const run = new Run(attachment, source, timeout, signal);
  try {
    const outcome = await run.outcome();
    return { ...outcome, ...(dialogs.length && { dialogs }) };
  } catch (fault) {
    throw await explained(fault, tab);
  } finally {
    attachment.hearers.delete(dialogs);
    await run.end();
    await attachment.release();
  }
}

/** One run of one script. */
class Run {
  #attachment;
  #script;
  #timeout;
  #deadline;
  #signal;
  #name = `${OURS}${++count}`;
  #doing = UNSTARTED;
  #form: Form = LAST_FORM;
  #ended = new AbortController();

  constructor(attachment: Attachment, script: string, timeout: number, signal: AbortSignal) {
    this.#attachment = attachment;
    this.#script = script;
    this.#timeout = timeout;
    this.#deadline = performance.now() + timeout + PREPARES_MS;
    this.#signal = signal;
  }

  async outcome(): Promise<object> {
    await this.#within(this.#attachment.ready);
    const form = await this.#choose();
    if ('error' in form) return { success: false, ...form };
    this.#form = form;
    this.#doing = 'running';
    this.#deadline = Math.min(this.#deadline, performance.now() + this.#timeout);
    return this.#run(form);
  }

  /** Let go of what the page was asked for. */
  async end() {
    this.#ended.abort();
    this.#attachment.ask('Runtime.releaseObjectGroup', { objectGroup: this.#name }).catch(() => {});
  }

  /** Returns the first form that the script has */
  async #choose(): Promise<Form | { error: string; stack: string }> {
    let last: any;
    for (const form of formsOf(this.#script)) {
      const { before, text } = proofOf(form, this.#script);
      const fault = await this.#compile(text);
      if (!fault) return form;
      if (form === LAST_FORM) last = { before, fault };
    }
    return this.#syntaxError(await this.#compile(this.#script), last);
  }

  async #compile(expression: string): Promise<Details | undefined> {
    const { exceptionDetails } = await this.#ask('Runtime.compileScript', {
      expression,
      sourceURL: '',
      persistScript: false,
    });
    return exceptionDetails;
  }

  /** Tell a syntax error: that of the script by itself, unless that is only that it waits or returns. */
  async #syntaxError(bare: Details | undefined, last: { before: string; fault: Details } | undefined) {
    const own = bare && !/await|return/i.test(headOf(bare));
    const { before, fault: details } = own || !last ? { before: '', fault: bare } : last;
    if (!details) return UNMATCHED;
    const { line, column } = placeIn(before, details);
    if (line < 0) return { error: headOf(details), stack: '' }; // too deep to be parsed
    const ended = line >= this.#script.split('\n').length;
    if (ended && !(await this.#compile(`async()=>{${this.#script}`))) return UNMATCHED; // its own bracket closed ours
    const error = ended ? 'SyntaxError: Unexpected end of input' : headOf(details);
    return { error, stack: `    at ${SCRIPT}:${line + 1}:${Math.max(column, 0) + 1}` };
  }

  async #run(form: Form): Promise<object> {
    const expression = wrapped(form, this.#script, this.#name);
    const timeout = Math.max(1, Math.ceil(this.#deadline - performance.now()));
    const work = this.#attachment.ask('Runtime.evaluate', {
      expression,
      timeout,
      silent: true,
      objectGroup: this.#name,
    });
    const { result, exceptionDetails } = await this.#within(work, SLACK_MS);
    if (!exceptionDetails && !result.objectId) return told(result, describePlain(result));
    if (performance.now() >= this.#deadline) throw this.#stopped('loop'); // one of microtasks ends without a word
    if (exceptionDetails) return this.#thrown(exceptionDetails.exception, exceptionDetails);
    if (!form.waits) return this.#settle(result.objectId);
    const { result: members } = await this.#ask('Runtime.getProperties', {
      objectId: result.objectId,
      ownProperties: true,
    });
    return this.#follow(members[0].value.objectId, form.held);
  }

  /** Wait for what a holder holds, if it is a promise of any kind, and tell it. */
  async #settle(holder: string): Promise<object> {
    const [{ result }, { result: gave }] = await Promise.all([this.#call(holder, PEEK), this.#call(holder, GAVE)]);
    if (gave.value === false) return { success: false, error: await this.#words(holder), stack: '' };
    if (result.subtype === 'promise') return this.#follow(result.objectId, false);
    if (!result.objectId) return this.#tell(holder);
    const { result: adopted } = await this.#call(holder, ADOPT);
    return adopted.objectId ? this.#follow(adopted.objectId, true, true) : this.#tell(holder);
  }

  /**
   * Look at a promise until it is settled.
   * @param held whether it gives a holder
   * @param last whether what it gives needs no waiting
   */
  async #follow(promise: string, held: boolean, last: boolean = false): Promise<object> {
    for (let look = 0; ; look++) {
      const { state, result } = await this.#stateOf(promise);
      if (state === 'rejected') return this.#thrown(result, await this.#detailsOf(result));
      if (state === 'fulfilled') return this.#given(result, held, last);
      this.#doing = 'waiting for a promise';
      await this.#pause(LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)] as number);
    }
  }

  async #given(result: Remote, held: boolean, last: boolean) {
    if (held) return last ? this.#tell(result.objectId ?? '') : this.#settle(result.objectId ?? '');
    return result.objectId && result.type !== 'symbol'
      ? this.#tell(await this.#hold(result.objectId))
      : told(result, describePlain(result));
  }

  async #stateOf(promise: string): Promise<{ state: string; result: Remote }> {
    const { internalProperties } = await this.#ask('Runtime.getProperties', { objectId: promise, ownProperties: true });
    const find = (name: string) => internalProperties.find((property: any) => property.name === name)?.value;
    return { state: find('[[PromiseState]]').value, result: find('[[PromiseResult]]') };
  }

  async #hold(objectId: string): Promise<string> {
    return (await this.#call(objectId, HOLD)).result.objectId;
  }

  async #tell(holder: string): Promise<object> {
    this.#doing = 'having its result read';
    const described = await describe(this.#ask, holder, this.#name);
    return told({ type: described.type }, described);
  }

  async #thrown(thrown: Remote | undefined = { type: 'undefined' }, details: Details | undefined) {
    const error = await this.#errorFrom(thrown);
    const source = { name: this.#name, script: this.#script, before: this.#form.before };
    return { success: false, error, stack: stackOf(details?.stackTrace?.callFrames ?? [], source) };
  }

  async #errorFrom(thrown: Remote): Promise<string> {
    if (!thrown.objectId || thrown.type === 'symbol') return wordsFor(thrown, describePlain(thrown).result);
    const holder = await this.#hold(thrown.objectId);
    if (thrown.subtype === 'error') return this.#words(holder);
    return wordsFor(thrown, (await describe(this.#ask, holder, this.#name)).result);
  }

  /** @param holder of an error */
  async #words(holder: string): Promise<string> {
    return (await this.#call(holder, WORDS)).result.value.toWellFormed();
  }

  async #detailsOf({ subtype, objectId }: Remote): Promise<Details | undefined> {
    if (subtype !== 'error') return undefined;
    return (await this.#ask('Runtime.getExceptionDetails', { errorObjectId: objectId })).exceptionDetails;
  }

  #call(objectId: string, functionDeclaration: string) {
    return this.#ask('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      objectGroup: this.#name,
      silent: true,
    });
  }

  /** Ask, and stop what the page is running if there is no answer in time. */
  #ask: Ask = (method, params = {}) => {
    const { functionDeclaration } = params;
    const whole = functionDeclaration ? { ...params, functionDeclaration: named(functionDeclaration) } : params;
    return this.#within(this.#attachment.ask(method, whole));
  };

  #pause(ms: number) {
    return this.#within(new Promise((done) => setTimeout(done, ms)));
  }

  /** @param slack ms after the deadline */
  async #within<T>(work: Promise<T>, slack: number = 0): Promise<T> {
    const left = this.#deadline + slack - performance.now();
    try {
      const given = await Promise.race([work, ending(this.#signal, left, this.#ended.signal)]);
      if (given !== LATE) return given as T;
    } catch (fault) {
      if (/terminated/.test(String(fault)) && !this.#signal.aborted) throw this.#stopped('loop');
      if (!this.#signal.aborted || fault !== this.#signal.reason) throw fault;
    }
    const how = this.#doing === UNSTARTED ? UNSTARTED : await this.#stop();
    this.#signal.throwIfAborted();
    throw this.#stopped(how);
  }

  /** Returns what was stopped */
  async #stop(): Promise<string> {
    if (await answers(this.#attachment)) return 'promise';
    if (await this.#attachment.stop((url) => url === this.#name || url === READER, STOPS_MS)) return 'loop';
    return (await answers(this.#attachment)) ? 'promise' : 'busy';
  }

  #stopped(how: string) {
    return stopped(how, this.#doing, this.#timeout);
  }
}

function ending(signal: AbortSignal, ms: number, ended: AbortSignal): Promise<typeof LATE> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, LATE);
    ended.addEventListener('abort', () => clearTimeout(timer), { once: true });
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended });
  });
}

/** Returns whether the page runs what it is asked to */
function answers(attachment: Attachment): Promise<boolean> {
  const answer = attachment.ask('Runtime.evaluate', { expression: '0', silent: true });
  const late = new Promise((done) => setTimeout(done, ANSWERS_MS, LATE));
  return Promise.race([answer, late]).then(
    (given) => given !== LATE,
    () => true,
  );
}

/**
 * Give a function of ours a name by which it can be stopped. It is strict: of any other, Error.prepareStackTrace hands
 * what `this` is to the page, whose getters would change what is read next.
 */
function named(declaration: string) {
  return `(()=>{'use strict';return ${declaration}})()\n//# sourceURL=${READER}\n`;
}

function told({ type }: Remote, { result, cuts }: { result: unknown; cuts: string[] }) {
  const note = `Cut: ${[...new Set(cuts)].slice(0, 3).join('; ')}. Ask for less, or for a part.`;
  const value = type === 'undefined' ? { undefined: true } : { result };
  return { success: true, ...value, ...(cuts.length && { truncated: true, note }) };
}

function headOf({ exception }: Details) {
  return (exception?.description ?? 'SyntaxError').split('\n')[0] ?? '';
}
