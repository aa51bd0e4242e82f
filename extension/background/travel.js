// Brings tabs to pages, and measures each load beside the one that it is compared with; it must not compare them.
//
// A load is compared with the last one of the same address (without its fragment) in the same tab: that of the page which
// is left, or one of before. Loads lie in chrome.storage.session: they outlive the worker, not the browser.

import { dialogIn } from './dialogs.js';
import { Failure } from './failure.js';
import { askPage } from './pages.js';
import { passage } from './passage.js';
import { openTab } from './tabs.js';

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{load?: {timing: {lcp: number | null}}, resources: object[], hidden: boolean, born: number, at?: number}} Load  `at`: Date.now() when it was measured */

/** What goes to another page. */
export const TRAVELLING = ['navigate', 'refresh', 'back', 'forward'];

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
  const arrival = await passage(tab, () => go(tab, String(action), wanted), signal);
  const now = await openTab(tab.id);
  const told = { success: true, action, url: now.url ?? '', title: now.title ?? '' };
  if (arrival === 'slow') return { ...told, settled: false, measured: { unavailable: 'the page is still loading' } };
  try {
    const after = await restingLoad(now, signal);
    if (after?.born === left?.born) return told; // only its fragment is another: nothing was loaded
    const before = await recall(now);
    await remember(now, after);
    const load = measuredOf(after);
    const measured = load ? { load, ...(before && { before: agedOf(before) }) } : { unavailable: 'the page tells no load' };
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

/** @param {Load} load */
function agedOf(load) {
  return { ...measuredOf(load), ageS: Math.round((Date.now() - (load.at ?? Date.now())) / 1000) };
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
  const all = [...others, [nameOf(tab), { ...load, at: Date.now() }]].slice(-KEPT);
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
export function addressFrom(url) {
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
