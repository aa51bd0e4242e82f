// Opens, shows and closes tabs; it must not look into a page.

import { expectDialogs, untilDialog } from './dialogs.js';
import { Failure } from './failure.js';
import { passage } from './passage.js';
import { openTab } from './tabs.js';
import { addressFrom, arrivalTold } from './travel.js';

/** @typedef {import('./tabs.js').Tab} Tab */

const BLANK = 'about:blank';

/** An empty page is there at once; this is for a browser that is very busy. */
const BLANK_MS = 2000;

/** What is done with whole tabs. */
export const TABBING = ['switch_tab', 'close_tab'];

/**
 * Open a tab in front, and wait until its page is loaded.
 * @param {Record<string, unknown>} query  `url`
 * @param {AbortSignal} signal
 * @returns {Promise<object>}
 * @throws {Failure} `invalid_params`, and as `passage` has them
 */
export async function newTab({ action, url }, signal) {
  const wanted = url === undefined ? undefined : addressFrom(url);
  const tab = /** @type {Tab} */ (await chrome.tabs.create({ active: true, ...(wanted && { url: BLANK }) }));
  const arrival = wanted && (await show(tab, wanted, signal));
  const now = await openTab(tab.id);
  const told = { success: true, action, tab_id: tab.id, url: now.url || wanted || '', title: now.title ?? '' };
  return { ...told, ...(arrival && arrivalTold(arrival)) };
}

/**
 * Show a tab, or close it.
 * @param {Tab} tab
 * @param {Record<string, unknown>} query  `action`
 * @returns {Promise<object>}
 * @throws {Failure} `invalid_params`, `tab_not_found`
 */
export async function tabbing(tab, { action }) {
  if (action === 'close_tab') await close(tab);
  else await bringToFront(tab);
  return { success: true, action, tab_id: tab.id, ...(action === 'switch_tab' && { url: tab.url ?? '', title: tab.title ?? '' }) };
}

/**
 * Wait until the tab's first, empty page is there: its end must not be taken for that of the wanted one.
 * @param {Tab} tab
 */
async function blank({ id }) {
  const until = performance.now() + BLANK_MS;
  while ((await openTab(id)).status !== 'complete' && performance.now() < until) await new Promise((done) => setTimeout(done, 5));
}

/**
 * @param {Tab} tab
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function show(tab, url, signal) {
  await blank(tab);
  expectDialogs(tab.id);
  return untilDialog(tab.id, signal, (ended) => passage(tab, () => chrome.tabs.update(tab.id, { url }), ended));
}

/** @param {Tab} tab */
async function bringToFront({ id, windowId }) {
  await chrome.tabs.update(id, { active: true });
  await chrome.windows.update(windowId, { focused: true });
}

/** @param {Tab} tab */
async function close({ id }) {
  if ((await chrome.tabs.query({})).length === 1) {
    throw new Failure('invalid_params', 'This is the last tab: Chrome would end, and Gasoline could not reach it.', {
      details: { parameter: 'tab_id', value: id },
      recovery: 'Open another one first, with interact(action:"new_tab").',
    });
  }
  await chrome.tabs.remove(id);
}
