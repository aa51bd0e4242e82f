// Finds what an action has broken for those who cannot see or point: axe before and after it; it must not judge itself.
//
// axe runs in the world of our content scripts: the page can neither see nor change it, and its policy does not matter.

/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{id: string, impact: string, help: string, count: number, nodes: string[]}} Violation */
/** @typedef {{a11y?: {new: Violation[], omitted?: number}, a11y_unavailable?: string}} Found */

import { askPage } from './pages.js';

/** The longest that is waited for one audit: 5,000 elements take 2 s. */
export const AUDIT_MS = 5000;

/** The page was given up before its action: then nothing is known to be new. */
const LATE = `The page could not be audited within ${AUDIT_MS / 1000} s.`;

const AXE = 'vendor/axe.min.js';
const FILES = [AXE, 'content/accessibility.js'];

/** @typedef {'hasOwnFrames' | 'auditBefore' | 'auditAfter'} Answerer  of content/accessibility.js */

/**
 * Audit a page as it is before an action, if that is asked for.
 * @param {Tab} tab
 * @param {Record<string, unknown>} query  `a11y`
 * @param {AbortSignal} signal
 * @returns {Promise<{found: (signal: AbortSignal) => Promise<Found>}>}  audits what the action has changed
 */
export async function accessibilityAround(tab, { a11y }, signal) {
  if (a11y !== true) return { found: async () => ({}) };
  await askPage(tab, 'page_place', {}, signal);
  const before = await audited(tab, 'auditBefore', signal);
  if (before.a11y_unavailable) return { found: async () => before };
  return { found: (signal) => audited(tab, 'auditAfter', signal) };
}

/**
 * @param {Tab} tab
 * @param {'auditBefore' | 'auditAfter'} name
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
async function audited(tab, name, signal) {
  const found = await Promise.race([ran(tab, name), late(signal)]);
  signal.throwIfAborted();
  return found;
}

/**
 * @param {Tab} tab
 * @param {'auditBefore' | 'auditAfter'} name
 * @returns {Promise<Found>}
 */
async function ran(tab, name) {
  try {
    if (name === 'auditBefore') await injectAxe(tab);
    return /** @type {Found | undefined} */ (await called(tab, name)) ?? { a11y_unavailable: 'The page was left.' };
  } catch (fault) {
    return { a11y_unavailable: `The page could not be audited: ${/** @type {Error} */ (fault).message.slice(0, 200)}` };
  }
}

/** @param {Tab} tab */
async function injectAxe(tab) {
  await chrome.scripting.executeScript({ target: placeOf(tab), files: FILES, injectImmediately: true });
  if (!(await called(tab, 'hasOwnFrames'))) return;
  await chrome.scripting.executeScript({ target: { tabId: tab.id, allFrames: true }, files: [AXE], injectImmediately: true });
}

/** @param {Tab} tab */
function placeOf({ id, frame = 0 }) {
  return { tabId: id, frameIds: [frame] };
}

/**
 * @param {Tab} tab
 * @param {Answerer} name
 */
async function called(tab, name) {
  const [frame] = await chrome.scripting.executeScript({
    target: placeOf(tab),
    func: (/** @type {string} */ name) => /** @type {any} */ (globalThis)[name]?.(),
    args: [name],
    injectImmediately: true,
  });
  return frame?.result;
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
function late(signal) {
  return new Promise((done) => {
    const timer = setTimeout(() => done({ a11y_unavailable: LATE }), AUDIT_MS);
    signal.addEventListener('abort', () => (clearTimeout(timer), done({})), { once: true });
  });
}
