// Runs every command that acts behind the same rules: the user's switch, the tab's lease, the user's own input, the audit.

import { aborted } from '../../shared/aborted.ts';
import type { AuditEntry } from '../../shared/pilot.ts';
import { Failure, faultOf } from '../failure.ts';
import type { Begin, Handler } from '../link/command_runner.ts';
import type { Client } from '../link/messages.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { Audit } from './audit.ts';
import type { Leases } from './leases.ts';
import type { PilotSwitch } from './pilot_switch.ts';

export type Act = (tab: Tab, query: Record<string, unknown>, signal: AbortSignal, client: Client) => Promise<object>;

/** Always, or depending on the query. */
type Condition = boolean | ((query: Record<string, unknown>) => boolean);

export type ActingCommand = {
  act: Act;
  /** The part of the query that belongs to the command's name in the audit. */
  detail?: (query: Record<string, unknown>) => string;
  /** It needs no tab. */
  tabless?: Condition;
  /** It changes nothing in the page: it needs no turn, other clients' actions need not wait for it, and it may run twice. */
  reads?: Condition;
  /** Of a command that reads: what the page has captured comes with its answer, and is not fetched beside it. */
  gathers?: Condition;
  /** It waits until the user does not type or move in the tab. */
  yields?: Condition;
  /** Throws where the command cannot begin now; called before anything is waited for, and again after that. */
  admit?: (tab: Tab, query: Record<string, unknown>) => Promise<void>;
};

export interface Rules {
  pilot: PilotSwitch;
  leases: Leases;
  audit: Audit;
  target: (wanted: unknown) => Promise<Tab>;
  /** Gives whether it had to wait. */
  waitForIdleUser: (tab: number, signal: AbortSignal) => Promise<boolean>;
  /** Fetches the events that a tab has captured until now. */
  gather: (tab: number, signal: AbortSignal) => Promise<void>;
}

type Call = { query: Record<string, unknown>; signal: AbortSignal; client: Client; begin: Begin };

/** The longest wait for an aborted act to stop: a script's loop takes up to 3 s. */
const STOP_MS = 4000;

const UNNAMED: Client = { id: '', name: '' };

/** Make the handler of a command that acts. */
export function acting(rules: Rules, name: string, command: ActingCommand): Handler {
  return async (query, signal, client = UNNAMED, begin = async () => {}) => {
    const entry = await rules.audit.begin([name, command.detail?.(query)].filter(Boolean).join(' '), client);
    let outcome = 'done';
    try {
      const result = await permitted(rules, command, entry, { query, signal, client, begin });
      entry.tab ||= (result as any).tab_id ?? 0; // the tab that it has opened
      if ((result as any).success === false) outcome = 'failed';
      return result;
    } catch (fault) {
      outcome = outcomeOf(fault, signal);
      throw fault;
    } finally {
      if (entry.tab && !holds(command.reads, query)) await rules.gather(entry.tab, signal);
      rules.audit.end(entry, outcome);
    }
  };
}

function outcomeOf(fault: unknown, signal: AbortSignal) {
  if (fault instanceof Failure) return fault.fault.code;
  return signal.aborted ? 'cancelled' : 'internal_error';
}

async function permitted(rules: Rules, command: ActingCommand, entry: AuditEntry, call: Call) {
  const { signal, client, begin } = call;
  const { tab_id, ...rest } = call.query;
  const isTabless = holds(command.tabless, rest);
  const isRead = holds(command.reads, rest);
  const asked = isTabless ? undefined : kept(rules.target(tab_id));
  const ended = AbortSignal.any([signal, await rules.pilot.demand()]);
  const run = async (tab: Tab) => {
    ended.throwIfAborted(); // it may have waited
    return untilStopped(command.act(tab, rest, ended, client), ended).catch((fault) => {
      throw ended.aborted || isRead ? fault : whileActing(fault);
    });
  };
  const stored = () => Promise.all([begin(), rules.audit.store()]);
  const tab = await asked;
  if (!tab) {
    await stored();
    return run({} as Tab);
  }
  Object.assign(entry, { tab: tab.id, origin: originOf(tab) });
  await command.admit?.(tab, rest);
  if (isRead) return holds(command.gathers, rest) ? run(tab) : gathering(run(tab), rules.gather(tab.id, ended));
  return rules.leases.hold(tab.id, client, ended, async (waitedForTurn) => {
    const idle = holds(command.yields, rest) && rules.waitForIdleUser(tab.id, ended);
    const [wasBusy] = await Promise.all([idle, stored()]); // the lease is written with it
    if (!waitedForTurn && !wasBusy) return run(tab);
    const now = await rules.target(tab.id); // after the wait the tab may show another page, or be closed
    entry.origin = originOf(now);
    await rules.pilot.demand();
    await command.admit?.(now, rest);
    return run(now);
  });
}

/** A promise that may be rejected before it is awaited. */
function kept<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Fetch what the page has captured while it is read: what it does meanwhile is not of this call. */
async function gathering(reading: Promise<object>, gathered: Promise<unknown>): Promise<object> {
  const [result] = await Promise.all([reading, gathered]);
  return result;
}

/** A fault of our own, or a browser that ends us, tells nothing of what was done before it. */
function whileActing(fault: unknown) {
  const { code, message } = faultOf(fault);
  return code === 'internal_error' ? new Failure('outcome_unknown', message) : fault;
}

function holds(condition: Condition | undefined, query: Record<string, unknown>) {
  return typeof condition === 'function' ? condition(query) : condition;
}

/** Wait for an act, or for its abort and then for the work to stop, so that the next act does not meet it. */
async function untilStopped(running: Promise<object>, signal: AbortSignal) {
  try {
    return await Promise.race([running, aborted(signal)]);
  } finally {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((done) => {
      timer = setTimeout(done, STOP_MS);
    });
    await Promise.race([running.catch(() => {}), late]);
    clearTimeout(timer);
  }
}

function originOf({ url = '' }: Tab) {
  return URL.canParse(url) ? new URL(url).origin : '';
}
