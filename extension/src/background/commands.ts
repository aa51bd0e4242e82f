// The commands that the bridge may send, by name; it must hold no more than what each of them calls.

import { Failure } from './failure.ts';
import { answer } from './interact/answer_dialog.ts';
import { effects } from './interact/effects.ts';
import { highlight } from './interact/highlights.ts';
import { interact, READING } from './interact/interact.ts';
import type { Handler } from './link/command_runner.ts';
import { TRAVELLING, travel } from './navigate/navigation_actions.ts';
import { newTab, TABBING, tabbing } from './navigate/tab_actions.ts';
import { type Act, acting, type Deed, type Rules } from './permit/acting.ts';
import type { Leases } from './permit/leases.ts';
import { execute } from './script/execute.ts';
import { deleteState, listStates, loadState, saveState } from './state/saved_states.ts';
import { dialogIn, expectDialogs, type OpenDialog, refuseAtDialog, untilDialog } from './tabs/open_dialogs.ts';
import { askPage } from './tabs/page_queries.ts';
import { listTabs, type Tab, targetTab } from './tabs/tabs.ts';

/** The tab_id with which a client gives back every tab that it has. */
const EVERY_TAB = -1;

/** The longest lease: a task that takes more asks again. */
const LEASE_S = 300;

/** What acts, each behind the same rules. */
const deedsWith = ({ leases }: Rules): Record<string, Deed> => ({
  highlight: atNoDialog({ act: highlight }),
  save_state: atNoDialog({ act: saveState }),
  load_state: atNoDialog({ act: anew(loadState), yields: true }),
  list_states: { act: listStates, tabless: true },
  delete_state: { act: (_, query) => deleteState(query), tabless: true },
  execute: { act: anew(execute), yields: true, free: ({ id }) => refuseAtDialog(id) }, // it dismisses those that open meanwhile
  interact: {
    act: interactAnywhere,
    named: ({ action }) => (typeof action === 'string' ? action.slice(0, 20) : ''),
    tabless: ({ action }) => action === 'new_tab',
    yields: ({ action }) => !READING.includes(String(action)),
    free: freeToInteract,
  },
  lease: { act: leaseWith(leases) },
});

/**
 * Make the handlers.
 * @param rules their `gather` fetches what a tab has captured until now: after a command that concerned the
 *   tab, and before its result, so that whoever has the result can read what led to it
 */
export function commandsWith(rules: Rules): Record<string, Handler> {
  const deeds = Object.entries(deedsWith(rules)).map(([name, deed]) => [name, acting(rules, name, deed)]);
  return {
    ...Object.fromEntries(deeds),
    query_dom: ofPage('query_dom', rules.gather),
    get_page_info: ofPage('get_page_info', rules.gather),
    list_tabs: listTabs,
    release: releaseWith(rules.leases), // to give back is no act
  };
}

const interactAnywhere: Act = (tab, query, signal, client) => {
  return query['action'] === 'new_tab' ? newTab(query, signal) : interactInTab(tab, query, signal, client);
};

const interactOrTravel: Act = (tab, query, signal, client) => {
  const action = String(query['action']);
  if (action === 'dialog') return answer(tab, query, signal);
  if (TABBING.includes(action)) return tabbing(tab, query);
  return TRAVELLING.includes(action) ? anew(travel)(tab, query, signal, client) : interact(tab, query, signal);
};

const interactInTab = atNoDialog({ act: interactOrTravel }).act;

/** Make an act that ends the effect of the last action there: what comes now is of this one. */
function anew(act: Act): Act {
  return (tab, ...more) => {
    effects.close(tab.id);
    return act(tab, ...more);
  };
}

/** Make what is not begun while the tab stands at a dialog, and given up when one opens. */
function atNoDialog({ act, ...deed }: Deed): Deed {
  return {
    ...deed,
    free: ({ id }) => refuseAtDialog(id),
    act: (tab, query, signal, client) => {
      if (query['action'] !== 'dialog') expectDialogs(tab.id);
      return untilDialog(tab.id, signal, (ended) => act(tab, query, ended, client));
    },
  };
}

/** What is done whatever dialog is open. */
const AT_DIALOG = ['dialog', 'switch_tab'];

async function freeToInteract({ id }: Tab, { action }: Record<string, unknown>) {
  const free = AT_DIALOG.includes(String(action)) || mayLeave(String(action), dialogIn(id));
  if (!free) await refuseAtDialog(id);
}

/**
 * Returns a tab is closed, for some pages open one after the other; a dialog that only the user can answer goes
 *   with its page. Not so one that asks whether to leave: Chrome takes that for a no, and closes nothing (measured)
 */
function mayLeave(action: string, dialog: OpenDialog | undefined): boolean {
  if (action === 'close_tab') return dialog?.type !== 'beforeunload';
  return TRAVELLING.includes(action) && dialog?.kept === false;
}

/** Make the act that keeps a tab: it holds it already. */
function leaseWith(leases: Leases): Act {
  return async ({ id }, { ttl_s }, _, client) => {
    if (typeof ttl_s !== 'number' || !(ttl_s >= 1 && ttl_s <= LEASE_S)) {
      throw new Failure('invalid_params', `ttl_s must be a number of seconds from 1 to ${LEASE_S}.`, {
        details: { parameter: 'ttl_s', value: ttl_s },
      });
    }
    leases.keep(id, client, ttl_s * 1000);
    return { success: true, tab_id: id, expires_in_s: ttl_s };
  };
}

function releaseWith(leases: Leases): Handler {
  return async ({ tab_id }, _, client) => {
    const tab = tab_id === EVERY_TAB ? undefined : (await targetTab(tab_id)).id;
    return { success: true, released: client ? await leases.release(client, tab) : [] };
  };
}

/** Make the handler of a command that the content script answers under the same name. */
function ofPage(name: string, gather: (tab: number, signal: AbortSignal) => Promise<void>): Handler {
  return async ({ tab_id, ...query }, signal) => {
    const tab = await targetTab(tab_id);
    try {
      await refuseAtDialog(tab.id);
      return await untilDialog(tab.id, signal, (ended) => askPage(tab, name, query, ended));
    } finally {
      await gather(tab.id, signal);
    }
  };
}
