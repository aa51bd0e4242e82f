// The commands that the bridge may send, by name; it must hold no more than what each of them calls.

import { askPage } from './pages.js';
import { listTabs, targetTab } from './tabs.js';

/** @typedef {import('./desk.js').Handler} Handler */

/**
 * Make the handlers.
 * @param {(tab: number, signal: AbortSignal) => Promise<void>} gather  fetches what a tab has captured until now: after
 *   a command that concerned the tab, and before its result, so that whoever has the result can read what led to it
 * @returns {Record<string, Handler>}
 */
export function commandsWith(gather) {
  return {
    query_dom: ofPage('query_dom', gather),
    get_page_info: ofPage('get_page_info', gather),
    list_tabs: listTabs,
  };
}

/**
 * Make the handler of a command that the content script answers under the same name.
 * @param {string} name
 * @param {(tab: number, signal: AbortSignal) => Promise<void>} gather
 * @returns {Handler}
 */
function ofPage(name, gather) {
  return async ({ tab_id, ...query }, signal) => {
    const tab = await targetTab(tab_id);
    try {
      return await askPage(tab, name, query, signal);
    } finally {
      await gather(tab.id, signal);
    }
  };
}
