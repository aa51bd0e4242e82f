// The command execute: runs a script in a page's own world by the debugger, and describes its result.
//
// The debugger works under every policy of a page, and can stop a loop. The page may have replaced its built-ins: nothing
// here calls one. A promise is not awaited in the page: its state is read, and waits are timed here. A page that is busy
// all the time is not sent the script, or it would run it after the call has ended.
//
// What cannot go on by itself is one evaluation, which the page itself ends in its time; all else is guarded. A script that
// only reads needs no debugger where the user allows user scripts.

import { obstacleOf } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import { closedTo } from '../tabs/access.ts';
import { attachForScript, stayAttached } from '../tabs/debugged_turns.ts';
import { explainDisconnect } from '../tabs/stop_reasons.ts';
import { type Tab, targetTab } from '../tabs/tabs.ts';
import { chooseWrapper } from './choose_wrapper.ts';
import { type Details, stackOf, wordsFor } from './exceptions.ts';
import { ADOPT, ADOPT_OTHER, ERROR_TEXT, HAS_VALUE } from './page_functions.ts';
import { PageSession } from './page_session.ts';
import { LAST_WRAPPER, type ScriptWrapper, wrapped } from './script_wrappers.ts';
import { readByUserScript } from './user_script.ts';
import { Description, describePlain, type Remote } from './values.ts';

type Dialog = { type: string; message: string };

/** Seed 003, feature 3. */
const TIMEOUT_MS = 5000;

/** The page itself ends a script that does not wait, so soon after its time. */
const SLACK_MS = 150;

/** To the first script after the user has ended the debugging. */
const ENDED =
  "The user has ended the debugging in Chrome's bar: from now on each script here attaches anew, which is slower.";

/** What may go on longer than its call: a loop or a wait. */
const GOES_ON = /\b(?:while|for|do|await|async|yield|debugger)\b/;

/** The pauses between reads of a promise's state. */
const PAUSES_MS = [0, 1, 2, 4, 8, 16, 30, 50];

/** Run a script in the top frame of a tab; an abort stops the script too. */
export async function execute(
  tab: Tab,
  { script, timeout_ms = TIMEOUT_MS }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
  const obstacle = obstacleOf(tab);
  if (obstacle) throw closedTo(tab, obstacle);
  signal.throwIfAborted();
  const read = await readByUserScript(tab, String(script));
  if (read) return read;
  signal.throwIfAborted();
  const { attachment, wasEnded } = await attachForScript(tab);
  const allowed = targetTab(tab.id); // it may show a page of an excluded site by now
  allowed.catch(() => {}); // awaited before anything is run
  const dialogs: Dialog[] = [];
  attachment.dialogLists.add(dialogs);
  const session = new PageSession(attachment, Number(timeout_ms), signal);
  try {
    const result = await new Run(session, String(script), allowed).result();
    stayAttached(tab.id, attachment);
    return { ...(wasEnded && { note: ENDED }), ...result, ...(dialogs.length && { dialogs }) };
  } catch (fault) {
    if (session.isAbandoned && !signal.aborted) stayAttached(tab.id, attachment);
    throw stating(dialogs, await explainDisconnect(fault, tab));
  } finally {
    attachment.dialogLists.delete(dialogs);
    session.end();
    await attachment.release();
  }
}

/** Add the dialogs that were dismissed to what a script ended with. */
function stating(dialogs: Dialog[], fault: unknown): unknown {
  if (!dialogs.length || !(fault instanceof Failure)) return fault;
  const { code, message, details, recovery } = fault.fault;
  return new Failure(code, message, { details: { ...details, dialogs }, ...(recovery && { recovery }) });
}

/** One run of one script. */
class Run {
  #session;
  #script;
  #allowed;
  #wrapper: ScriptWrapper = LAST_WRAPPER;

  constructor(session: PageSession, script: string, allowed: Promise<unknown>) {
    this.#session = session;
    this.#script = script;
    this.#allowed = allowed;
  }

  async result(): Promise<object> {
    await this.#session.ready(GOES_ON.test(this.#script));
    const wrapper = await chooseWrapper(this.#script, (text) => this.#compile(text));
    await this.#allowed;
    if ('error' in wrapper) return { success: false, ...wrapper };
    this.#wrapper = wrapper;
    this.#session.start();
    return this.#run(wrapper);
  }

  async #compile(expression: string): Promise<Details | undefined> {
    const params = { expression, sourceURL: '', persistScript: false };
    return (await this.#session.ask('Runtime.compileScript', params)).exceptionDetails;
  }

  async #run(wrapper: ScriptWrapper): Promise<object> {
    const session = this.#session;
    const expression = wrapped(wrapper, this.#script, session.name);
    const { result, exceptionDetails } = await session.evaluate(expression, SLACK_MS);
    if (!exceptionDetails && !result.objectId) return reply(result, describePlain(result));
    if (session.leftMs <= 0) throw await session.overdue(); // a loop of microtasks ends without an error
    await session.guarded(); // what is read next may run what the page or the script has made
    if (exceptionDetails) return this.#thrown(exceptionDetails.exception, exceptionDetails);
    if (!wrapper.waits) return this.#awaited(result.objectId);
    const members = await session.ask('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
    return this.#settled(members.result[0].value.objectId, wrapper.held);
  }

  /** Await the value of a holder if it is a promise of any kind, and describe the result. */
  async #awaited(holder: string): Promise<object> {
    const session = this.#session;
    const description = new Description(session.ask, holder, session.name);
    const [value, { result: has }, { result: adopted }] = await Promise.all([
      description.value,
      session.call(holder, HAS_VALUE),
      session.call(holder, ADOPT_OTHER),
    ]);
    if (has.value === false) return { success: false, error: await this.#errorText(holder), stack: '' };
    if (value.subtype === 'promise') return this.#settled(value.objectId ?? '', false);
    const mayBePromise = adopted.value === true && value.objectId;
    const promise = mayBePromise ? (await session.call(holder, ADOPT)).result.objectId : adopted.objectId;
    return promise ? this.#settled(promise, true, true) : this.#described(description);
  }

  /** Read a promise's state until it is settled. `held`: its value is a holder; `last`: of no further promise. */
  async #settled(promise: string, held: boolean, last: boolean = false): Promise<object> {
    for (let read = 0; ; read++) {
      const { state, result } = await this.#stateOf(promise);
      if (state === 'rejected') return this.#thrown(result, await this.#detailsOf(result));
      if (state === 'fulfilled') return this.#fulfilled(result, held, last);
      this.#session.doing = 'waiting for a promise';
      await this.#session.pause(PAUSES_MS[Math.min(read, PAUSES_MS.length - 1)] as number);
    }
  }

  async #fulfilled(result: Remote, held: boolean, last: boolean) {
    const { objectId = '', type } = result;
    const session = this.#session;
    const described = (holder: string) => this.#described(new Description(session.ask, holder, session.name));
    if (held) return last ? described(objectId) : this.#awaited(objectId);
    if (objectId && type !== 'symbol') return described(await session.hold(objectId));
    return reply(result, describePlain(result));
  }

  async #stateOf(promise: string): Promise<{ state: string; result: Remote }> {
    const params = { objectId: promise, ownProperties: true };
    const { internalProperties } = await this.#session.ask('Runtime.getProperties', params);
    const find = (name: string) => internalProperties.find((property: any) => property.name === name)?.value;
    return { state: find('[[PromiseState]]').value, result: find('[[PromiseResult]]') };
  }

  async #described(description: Description): Promise<object> {
    this.#session.doing = 'having its result read';
    const described = await description.read();
    return reply({ type: described.type }, described);
  }

  async #thrown(thrown: Remote | undefined = { type: 'undefined' }, details: Details | undefined) {
    const error = await this.#errorOf(thrown);
    const source = { name: this.#session.name, script: this.#script, before: this.#wrapper.before };
    return { success: false, error, stack: stackOf(details?.stackTrace?.callFrames ?? [], source) };
  }

  async #errorOf(thrown: Remote): Promise<string> {
    if (!thrown.objectId || thrown.type === 'symbol') return wordsFor(thrown, describePlain(thrown).result);
    const holder = await this.#session.hold(thrown.objectId);
    if (thrown.subtype === 'error') return this.#errorText(holder);
    return wordsFor(thrown, (await new Description(this.#session.ask, holder, this.#session.name).read()).result);
  }

  async #errorText(holder: string): Promise<string> {
    return (await this.#session.call(holder, ERROR_TEXT)).result.value.toWellFormed();
  }

  async #detailsOf({ subtype, objectId }: Remote): Promise<Details | undefined> {
    if (subtype !== 'error') return undefined;
    const params = { errorObjectId: objectId };
    return (await this.#session.ask('Runtime.getExceptionDetails', params)).exceptionDetails;
  }
}

function reply({ type }: Remote, { result, cuts }: { result: unknown; cuts: string[] }) {
  const note = `Cut: ${[...new Set(cuts)].slice(0, 3).join('; ')}. Ask for less, or for a part.`;
  const value = type === 'undefined' ? { undefined: true } : { result };
  return { success: true, ...value, ...(cuts.length && { truncated: true, note }) };
}
