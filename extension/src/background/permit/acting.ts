// The one way to every command that acts: switch, tab, turn, hands, audit; it must not know what a command does.

import type { AuditEntry } from '../../shared/pilot.ts';
import { Failure } from '../failure.ts';
import type { Handler } from '../link/command_runner.ts';
import type { Client } from '../link/messages.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { Audit } from './audit.ts';
import type { Leases } from './leases.ts';
import type { Pilot } from './pilot_switch.ts';

/** What a command does in its tab, or in none (a list, say). */
export type Act = (tab: Tab, query: Record<string, unknown>, signal: AbortSignal, client: Client) => Promise<object>;

/**
 * `tabless`: it touches no tab. `yields`: it changes what the human may be working with, so it waits for their hands.
 * `free` refuses it where it cannot be done now: before it waits for anything, and again after that.
 * `named`: what of the query belongs to its name in the audit trail.
 */
export type Deed = {
  act: Act;
  named?: (query: Record<string, unknown>) => string;
  tabless?: Asked;
  yields?: Asked;
  free?: (tab: Tab, query: Record<string, unknown>) => Promise<void>;
};

/** Always, or of the query */
export type Asked = boolean | ((query: Record<string, unknown>) => boolean);

/** What acting is given to work with. */
export interface Rules {
  pilot: Pilot;
  leases: Leases;
  audit: Audit;
  target: (wanted: unknown) => Promise<Tab>;
  quiet: (tab: number, signal: AbortSignal) => Promise<void>;
  /** Fetches what a tab has captured until now */
  gather: (tab: number, signal: AbortSignal) => Promise<void>;
}

/** The longest wait for an act to stop: a script's loop takes up to 3 s. */
const STOP_MS = 4000;

/** Who says nothing of itself */
const NOBODY: Client = { id: '', name: '' };

/** Make the handler of a command that acts. */
export function acting(rules: Rules, name: string, deed: Deed): Handler {
  return async (query, signal, client = NOBODY) => {
    const entry = await rules.audit.begin([name, deed.named?.(query)].filter(Boolean).join(' '), client);
    try {
      const result = await act(rules, deed, entry, query, signal, client);
      entry.tab ||= (result as any).tab_id ?? 0; // that it has opened
      await rules.audit.end(entry, (result as any).success === false ? 'failed' : 'done');
      return result;
    } catch (fault) {
      await rules.audit.end(
        entry,
        fault instanceof Failure ? fault.fault.code : signal.aborted ? 'cancelled' : 'internal_error',
      );
      throw fault;
    } finally {
      if (entry.tab) await rules.gather(entry.tab, signal);
    }
  };
}

async function act(
  rules: Rules,
  deed: Deed,
  entry: AuditEntry,
  { tab_id, ...query }: Record<string, unknown>,
  signal: AbortSignal,
  client: Client,
) {
  const ended = AbortSignal.any([signal, await rules.pilot.demand()]);
  const run = async (tab: Tab) => {
    ended.throwIfAborted(); // while it waited
    return done(deed.act(tab, query, ended, client), ended);
  };
  if (isSo(deed.tabless, query)) return run({} as Tab);
  const tab = await rules.target(tab_id);
  Object.assign(entry, { tab: tab.id, origin: originOf(tab) });
  await deed.free?.(tab, query);
  return rules.leases.hold(tab.id, client, ended, async () => {
    if (isSo(deed.yields, query)) await rules.quiet(tab.id, ended);
    const now = await rules.target(tab.id); // it has waited: the page may be another's, or gone
    entry.origin = originOf(now);
    await rules.pilot.demand();
    await deed.free?.(now, query);
    return run(now);
  });
}

function isSo(asked: Asked | undefined, query: Record<string, unknown>) {
  return typeof asked === 'function' ? asked(query) : asked;
}

/**
 * Wait for an act, or for its end before its time; then for what it does to stop, so that the next does not meet it.
 */
async function done(running: Promise<object>, signal: AbortSignal) {
  try {
    return await Promise.race([running, broken(signal)]);
  } finally {
    const late = new Promise((done) => setTimeout(done, STOP_MS));
    await Promise.race([running.catch(() => {}), late]);
  }
}

/** Returns rejected with the signal's reason */
function broken(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function originOf({ url = '' }: Tab) {
  return URL.canParse(url) ? new URL(url).origin : '';
}
