// Brings a tab to an address and waits until its page is loaded; it must not know why.

import { Failure } from './failure.js';
import { askPage } from './pages.js';
import { openTab } from './tabs.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{url: string, origin: string, born: number}} Place  `born` is another in every document */

/**
 * Ask a tab's page where it is.
 * @param {Tab} tab
 * @param {AbortSignal} signal
 * @returns {Promise<Place>}
 */
export async function placeOf(tab, signal) {
  return /** @type {Place} */ (await askPage(tab, 'page_place', {}, signal));
}

/**
 * Load an address, also where the tab's page is there already.
 * @param {Tab} tab
 * @param {string} url
 * @param {Place} before  the page that is left
 * @param {AbortSignal} signal
 * @returns {Promise<Place>}  the page that came, once it is complete
 * @throws {Failure} what `askPage` says of a page that could not be loaded
 */
export function load(tab, url, before, signal) {
  const ended = new AbortController();
  /** @type {Promise<Place>} */
  const arrived = new Promise((resolve, reject) => {
    const look = async () => {
      const now = await placeOf(await openTab(tab.id), signal);
      if (now.born !== before.born) resolve(now); // else it was the page that is left that was complete
    };
    const hear = (/** @type {number} */ id, /** @type {chrome.tabs.OnUpdatedInfo} */ { status }) => {
      if (id === tab.id && status === 'complete') look().catch(reject);
    };
    const miss = (/** @type {number} */ id) => {
      if (id === tab.id) reject(new Failure('tab_not_found', `The tab ${id} was closed while it was loading.`));
    };
    chrome.tabs.onUpdated.addListener(hear);
    chrome.tabs.onRemoved.addListener(miss);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
    ended.signal.addEventListener('abort', () => {
      chrome.tabs.onUpdated.removeListener(hear);
      chrome.tabs.onRemoved.removeListener(miss);
    });
    leave(tab, url, before.url, signal).catch(reject);
  });
  return arrived.finally(() => ended.abort());
}

/**
 * Start to load an address. One that only leads to another place in the page would load nothing: it is written into the
 * page's address, of which the page hears nothing, and that is loaded again.
 * @param {Tab} tab
 * @param {string} url
 * @param {string} from
 * @param {AbortSignal} signal
 */
async function leave(tab, url, from, signal) {
  if (!url.includes('#') || bare(url) !== bare(from)) return void (await chrome.tabs.update(tab.id, { url }));
  await askPage(tab, 'rename_page', { url }, signal);
  await chrome.tabs.reload(tab.id);
}

/** @param {string} url */
function bare(url) {
  return url.replace(/#.*/s, '');
}
