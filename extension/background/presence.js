// Lets an act wait while the human types or moves in its tab; it must not look at what they do.

import { Failure } from './failure.js';

/** So long nobody must have touched the tab: pauses between two keys or moves of a hand are shorter. */
export const QUIET_MS = 1000;

/** The longest wait for the human (issue: "wait up to 2 s"). */
export const PATIENCE_MS = 2000;

/** The longest wait for a tab to say; a page that hangs has no human at work. */
const ASK_MS = 500;

/**
 * Wait until the human is quiet in a tab.
 * @param {number} tab
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 * @throws {Failure} `human_active`
 */
export async function quiet(tab, signal) {
  const end = performance.now() + PATIENCE_MS;
  for (let idle; (idle = await idleMs(tab)) < QUIET_MS; ) {
    signal.throwIfAborted();
    const left = end - performance.now();
    if (left <= 0) throw active(tab);
    await new Promise((done) => setTimeout(done, Math.min(left, QUIET_MS - idle)));
  }
}

/**
 * @param {number} tabId
 * @returns {Promise<number>}  ms since a human touched any frame of it, for ever if they cannot be asked
 */
async function idleMs(tabId) {
  const asked = chrome.scripting.executeScript({
    target: { tabId, allFrames: true },
    func: () => /** @type {any} */ (globalThis).humanIdleMs?.() ?? null, // JSON has no word for infinity
    injectImmediately: true,
  });
  const late = new Promise((done) => setTimeout(done, ASK_MS, []));
  const frames = /** @type {{result?: number | null}[]} */ (await Promise.race([asked.catch(() => []), late]));
  return Math.min(...frames.map(({ result }) => result ?? Infinity));
}

/** @param {number} tab */
function active(tab) {
  return new Failure('human_active', `The user is typing or moving in tab ${tab}.`, {
    details: { tab_id: tab, waited_ms: PATIENCE_MS },
    recovery: 'Call again in a moment, or tell the user what you want to do there.',
  });
}
