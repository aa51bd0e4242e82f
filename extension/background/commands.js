// The commands that the bridge may send, by name; it must hold no more than what each of them calls.

import { askPage } from './pages.js';
import { listTabs, targetTab } from './tabs.js';

/** @typedef {import('./desk.js').Handler} Handler */

/**
 * Make the handler of a command that the content script answers under the same name.
 * @param {string} name
 * @returns {Handler}
 */
function ofPage(name) {
  return async ({ tab_id, ...query }, signal) => askPage(await targetTab(tab_id), name, query, signal);
}

/** @type {Record<string, Handler>} */
export const commands = {
  query_dom: ofPage('query_dom'),
  get_page_info: ofPage('get_page_info'),
  list_tabs: listTabs,
};
