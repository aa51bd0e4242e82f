// Brings tabs to pages, and measures each load beside the one that it is compared with; it must not compare them.
//
// A load is compared with the last one of the same address (without its fragment) in the same tab: that of the page which
// is left, or one of before. Loads lie in chrome.storage.session: they outlive the worker, not the browser.

import { dialogIn } from './dialogs.js';
import { Failure } from './failure.js';
import { askPage } from './pages.js';
import { openTab } from './tabs.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{load?: {timing: {lcp: number | null}}, resources: object[], hidden: boolean, born: number}} Load */

/** What goes to another page. */
export const TRAVELLING = ['navigate', 'refresh', 'back', 'forward'];

/** The longest wait for a page to load, less than the call's own. */
const LOADED_MS = 20_000;

/** The longest wait, after the load event, for the largest paint to be the same twice (SPEC, settled contradiction 5). */
const PAINT_MS = 500;
const PAINT_STEP_MS = 100;

/** The most loads that are remembered: of the pages that somebody works on. */
const KEPT = 20;

const KEY = 'loads';

/**
 * Go somewhere, wait until it is loaded, and give both loads.
 * @param {Tab} tab
 * @param {Record<string, unknown>} query  `action`, `url`
 * @param {AbortSignal} signal
 * @returns {Promise<object>}
 */
export async function travel(tab, { action, url }, signal) {
  const wanted = action === 'navigate' ? addressFrom(url) : '';
  const left = dialogIn(tab.id) ? undefined : await loadIn(tab, signal); // it goes with its page
  if (left && (await recall(tab))?.born !== left.born) await remember(tab, left); // else it was measured when it came
  await loaded(tab, () => go(tab, String(action), wanted), signal);
  const now = await openTab(tab.id);
  const told = { success: true, action, url: now.url ?? '', title: now.title ?? '' };
  try {
    const after = await restingLoad(now, signal);
    const before = await recall(now);
    await remember(now, after);
    const load = measuredOf(after);
    const measured = load ? { load, ...(before && { before: measuredOf(before) }) } : { unavailable: 'the page tells no load' };
    return { ...told, measured };
  } catch (fault) {
    signal.throwIfAborted();
    if (fault instanceof Failure && fault.fault.details?.['reason'] === 'error_page') throw failed(fault.message, now);
    return { ...told, measured: { unavailable: fault instanceof Failure ? fault.message : 'the page could not be asked' } };
  }
}

/**
 * @param {Tab} tab
 * @param {string} action
 * @param {string} url
 */
async function go(tab, action, url) {
  if (action === 'navigate') return void (await chrome.tabs.update(tab.id, { url }));
  if (action === 'refresh') return void (await chrome.tabs.reload(tab.id));
  try {
    await (action === 'back' ? chrome.tabs.goBack(tab.id) : chrome.tabs.goForward(tab.id));
  } catch {
    throw new Failure('not_found', `There is no page to go ${action} to in this tab.`, {
      details: { tab_id: tab.id },
      recovery: 'Use interact(action:"navigate", url).',
    });
  }
}

/**
 * Start to go, and wait until the tab shows another page, or the same one anew.
 * @param {Tab} tab
 * @param {() => Promise<void>} start
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 * @throws {Failure} `navigation_failed`, `tab_not_found`
 */
function loaded(tab, start, signal) {
  const ended = new AbortController();
  /** @type {Promise<void>} */
  const done = new Promise((resolve, reject) => {
    let begun = false;
    const hear = (/** @type {number} */ id, /** @type {{status?: string | undefined, url?: string | undefined}} */ { status, url }) => {
      if (id !== tab.id) return;
      if (status === 'loading' || url) begun = true;
      if (begun && status === 'complete') resolve();
    };
    const miss = (/** @type {number} */ id) => id === tab.id && reject(gone(tab));
    const late = setTimeout(() => reject(failed(`It was not loaded after ${LOADED_MS / 1000} s.`, tab)), LOADED_MS);
    chrome.tabs.onUpdated.addListener(hear);
    chrome.tabs.onRemoved.addListener(miss);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
    ended.signal.addEventListener('abort', () => {
      clearTimeout(late);
      chrome.tabs.onUpdated.removeListener(hear);
      chrome.tabs.onRemoved.removeListener(miss);
    });
    start().catch(reject);
  });
  return done.finally(() => ended.abort());
}

/**
 * Measure the page until its largest paint is the same twice.
 * @param {Tab} tab
 * @param {AbortSignal} signal
 * @returns {Promise<Load | undefined>}
 */
async function restingLoad(tab, signal) {
  const begun = performance.now();
  let last = /** @type {Load} */ (await askPage(tab, 'page_load', {}, signal));
  for (;;) {
    const waited = performance.now() - begun;
    if (waited >= PAINT_MS && last.load) return last;
    if (waited >= 2 * PAINT_MS) return last;
    await new Promise((done) => setTimeout(done, PAINT_STEP_MS));
    signal.throwIfAborted();
    const next = /** @type {Load} */ (await askPage(tab, 'page_load', {}, signal));
    const same = next.load && last.load && next.load.timing.lcp !== null && next.load.timing.lcp === last.load.timing.lcp;
    last = next;
    if (same) return last;
  }
}

/**
 * @param {Tab} tab
 * @param {AbortSignal} signal
 * @returns {Promise<Load | undefined>}  of the page that is there now; undefined if it cannot be asked
 */
async function loadIn(tab, signal) {
  try {
    return /** @type {Load} */ (await askPage(tab, 'page_load', {}, signal));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/**
 * @param {Load | undefined} load
 * @returns {object | undefined}  in the shape that the diff worker takes
 */
function measuredOf(load) {
  return load?.load && { ...load.load, resources: load.resources, hidden: load.hidden };
}

/** @param {Tab} tab */
function nameOf({ id, url = '' }) {
  return `${id} ${url.replace(/#.*/s, '')}`;
}

/**
 * @param {Tab} tab
 * @param {Load | undefined} load
 */
async function remember(tab, load) {
  if (!load?.load) return;
  const { [KEY]: kept = {} } = await chrome.storage.session.get(KEY);
  const others = Object.entries(/** @type {Record<string, Load>} */ (kept)).filter(([name]) => name !== nameOf(tab));
  const all = [...others, [nameOf(tab), load]].slice(-KEPT);
  await chrome.storage.session.set({ [KEY]: Object.fromEntries(all) }).catch(() => {}); // then there is nothing to compare with
}

/**
 * @param {Tab} tab
 * @returns {Promise<Load | undefined>}
 */
async function recall(tab) {
  const { [KEY]: kept = {} } = await chrome.storage.session.get(KEY);
  return /** @type {Record<string, Load>} */ (kept)[nameOf(tab)];
}

/**
 * @param {unknown} url
 * @returns {string}
 */
function addressFrom(url) {
  const text = typeof url === 'string' ? url.trim() : '';
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^(https?|file):$/.test(parsed.protocol)) return parsed.href;
  throw new Failure('invalid_params', 'url must be a whole address that begins with http:// or https://.', {
    details: { parameter: 'url', value: text.slice(0, 500) },
    recovery: 'For example: http://localhost:3000/',
  });
}

/**
 * @param {string} why
 * @param {Tab} tab
 */
function failed(why, tab) {
  return new Failure('navigation_failed', why, {
    details: { tab_id: tab.id },
    recovery: 'See that the server answers; what has loaded can be looked at with observe(what:"page").',
  });
}

/** @param {Tab} tab */
function gone({ id }) {
  return new Failure('tab_not_found', `The tab ${id} was closed while it was loading.`, { details: { tab_id: id } });
}
