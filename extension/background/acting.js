// The one way to every command that acts: switch, tab, turn, hands, audit; it must not know what a command does.

import { Failure } from './failure.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {import('./leases.js').Client} Client */
/** @typedef {import('./desk.js').Handler} Handler */

/**
 * What a command does in its tab, or in none (a list, say).
 * @typedef {(tab: Tab, query: Record<string, unknown>, signal: AbortSignal, client: Client) => Promise<object>} Act
 */

/**
 * `tabless`: it touches no tab. `yields`: it changes what the human may be working with, so it waits for their hands.
 * `free` refuses it where it cannot be done now: before it waits for anything, and again after that.
 * `named`: what of the query belongs to its name in the audit trail.
 * @typedef {{act: Act, named?: (query: Record<string, unknown>) => string, tabless?: Asked, yields?: Asked, free?: (tab: Tab, query: Record<string, unknown>) => Promise<void>}} Deed
 * @typedef {boolean | ((query: Record<string, unknown>) => boolean)} Asked  always, or of the query
 */

/**
 * What acting is given to work with.
 * @typedef {object} Rules
 * @property {import('./pilot.js').Pilot} pilot
 * @property {import('./leases.js').Leases} leases
 * @property {import('./audit.js').Audit} audit
 * @property {(wanted: unknown) => Promise<Tab>} target
 * @property {(tab: number, signal: AbortSignal) => Promise<void>} quiet
 * @property {(tab: number, signal: AbortSignal) => Promise<void>} gather  fetches what a tab has captured until now
 */

/** The longest wait for an act to stop: a script's loop takes up to 3 s. */
const STOP_MS = 4000;

/** @type {Client}  who says nothing of itself */
const NOBODY = { id: '', name: '' };

/**
 * Make the handler of a command that acts.
 * @param {Rules} rules
 * @param {string} name
 * @param {Deed} deed
 * @returns {Handler}
 */
export function acting(rules, name, deed) {
  return async (query, signal, client = NOBODY) => {
    const entry = await rules.audit.begin([name, deed.named?.(query)].filter(Boolean).join(' '), client);
    try {
      const result = await act(rules, deed, entry, query, signal, client);
      entry.tab ||= /** @type {any} */ (result).tab_id ?? 0; // that it has opened
      await rules.audit.end(entry, /** @type {any} */ (result).success === false ? 'failed' : 'done');
      return result;
    } catch (fault) {
      await rules.audit.end(entry, fault instanceof Failure ? fault.fault.code : signal.aborted ? 'cancelled' : 'internal_error');
      throw fault;
    } finally {
      if (entry.tab) await rules.gather(entry.tab, signal);
    }
  };
}

/**
 * @param {Rules} rules
 * @param {Deed} deed
 * @param {import('../shared/pilot.js').AuditEntry} entry
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 * @param {Client} client
 */
async function act(rules, deed, entry, { tab_id, ...query }, signal, client) {
  const ended = AbortSignal.any([signal, await rules.pilot.demand()]);
  const run = async (/** @type {Tab} */ tab) => {
    ended.throwIfAborted(); // while it waited
    return done(deed.act(tab, query, ended, client), ended);
  };
  if (isSo(deed.tabless, query)) return run(/** @type {Tab} */ ({}));
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

/**
 * @param {import('./acting.js').Asked | undefined} asked
 * @param {Record<string, unknown>} query
 */
function isSo(asked, query) {
  return typeof asked === 'function' ? asked(query) : asked;
}

/**
 * Wait for an act, or for its end before its time; then for what it does to stop, so that the next does not meet it.
 * @param {Promise<object>} running
 * @param {AbortSignal} signal
 */
async function done(running, signal) {
  try {
    return await Promise.race([running, broken(signal)]);
  } finally {
    const late = new Promise((done) => setTimeout(done, STOP_MS));
    await Promise.race([running.catch(() => {}), late]);
  }
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<never>}  rejected with the signal's reason
 */
function broken(signal) {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** @param {Tab} tab */
function originOf({ url = '' }) {
  return URL.canParse(url) ? new URL(url).origin : '';
}
