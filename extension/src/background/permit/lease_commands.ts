// The commands `lease` and `release`, by which a client keeps a tab and gives it back.

import type { Handler } from '../link/command_runner.ts';
import { targetTab } from '../tabs/tabs.ts';
import type { Act } from './acting.ts';
import type { Leases } from './leases.ts';

/** The tab_id with which a client gives back every tab that it has. */
const EVERY_TAB = -1;

/** The tab is leased to the client already, for the time of the act. */
export function leaseWith(leases: Leases): Act {
  return async ({ id }, { ttl_s }, _, client) => {
    leases.keep(id, client, Number(ttl_s) * 1000);
    return { success: true, tab_id: id, expires_in_s: ttl_s };
  };
}

export function releaseWith(leases: Leases): Handler {
  return async ({ tab_id }, _, client) => {
    const tab = tab_id === EVERY_TAB ? undefined : (await targetTab(tab_id)).id;
    return { success: true, released: client ? await leases.release(client, tab) : [] };
  };
}
