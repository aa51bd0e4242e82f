// Puts questions to the content script of a tab and sees that there is one; it must not know what is asked.

import { Failure } from './failure.js';
import { closedTo, frameClosed, obstacleFrom, obstacleOf } from './scriptable.js';
import { openTab } from './tabs.js';

/** @typedef {import('./failure.js').Fault} Fault */
/** @typedef {import('./tabs.js').Tab} Tab */
/** @typedef {{result: unknown} | {error: Fault}} PageAnswer */
/** @typedef {{world?: 'ISOLATED' | 'MAIN', all_frames?: boolean, js?: string[]}} Script */

/** First, after the files were injected, and after a navigation came between. */
const ATTEMPTS = 3;

/**
 * The content scripts' files, from where Chrome itself reads them. Those of the page's own world are left out: there the
 * page's scripts ran first, so what those would tell could be read and forged.
 */
const SCRIPTS = /** @type {Script[]} */ (chrome.runtime.getManifest().content_scripts ?? []).filter(isOurs);
const LATE = 'content/late.js'; // first of all: whoever speaks from the page's world is not ours
const EVERYWHERE = SCRIPTS.filter((script) => script.all_frames).flatMap(({ js = [] }) => js);
const TOP = SCRIPTS.filter((script) => !script.all_frames).flatMap(({ js = [] }) => js);
const LOADS = ['vendor/web-vitals.js', 'content/vitals.js']; // tell of a page's load, which a frame's is not
const FRAME = TOP.filter((file) => !LOADS.includes(file));

/**
 * Ask the page in a tab, and ask again if it was replaced meanwhile: a question changes nothing.
 * @param {Tab} tab
 * @param {string} name
 * @param {Record<string, unknown>} query
 * @param {AbortSignal} signal
 * @returns {Promise<unknown>}
 * @throws {Failure} `tab_not_scriptable`, `tab_not_found`, `page_navigated`, or what the page answers
 */
export async function askPage(tab, name, query, signal) {
  let now = tab;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const obstacle = obstacleOf(now);
    if (obstacle) throw closedTo(now, obstacle);
    const answer = await sent(now, { name, arguments: query });
    signal.throwIfAborted();
    if (answer) return contentOf(answer);
    now = { ...(await openTab(tab.id, `The tab ${tab.id} was closed before its page answered.`)), ...(tab.frame && { frame: tab.frame }) };
    await (now.frame ? injectFrame(now) : inject(now));
  }
  throw new Failure('page_navigated', 'The page was replaced by another, again and again, before it answered.', {
    details: { tab_id: tab.id, url: now.url },
    recovery: 'Wait until the page has settled, then ask again.',
  });
}

/**
 * Bring the content script into pages that were open before the extension was installed or updated.
 * @returns {Promise<void>}
 */
export async function injectEverywhere() {
  const tabs = await chrome.tabs.query({ url: ['http://*/*', 'https://*/*', 'file:///*'], discarded: false });
  const reachable = /** @type {Tab[]} */ (tabs.filter((tab) => tab.id !== undefined && !obstacleOf(tab)));
  await Promise.allSettled(reachable.map(inject));
}

/** @param {Script} script */
function isOurs({ world }) {
  return world !== 'MAIN';
}

/**
 * @param {Tab} tab
 * @param {{name: string, arguments: Record<string, unknown>}} question
 * @returns {Promise<PageAnswer | undefined>}  undefined if no one listens there, or the page went away
 */
async function sent({ id, frame = 0 }, question) {
  try {
    return await chrome.tabs.sendMessage(id, question, { frameId: frame });
  } catch {
    return undefined;
  }
}

/**
 * @param {PageAnswer | undefined} answer
 * @returns {any}  undefined if there is none: the page went away
 * @throws {Failure} what the page answers
 */
export function contentOf(answer) {
  if (!answer || 'result' in answer) return answer?.result;
  const { code, message, details, recovery } = answer.error;
  throw new Failure(code, message, { ...(details && { details }), ...(recovery && { recovery }) });
}

/**
 * Inject the content scripts' files; where they are already, that changes nothing. The page's own frame is not kept
 * waiting for the others, one of which may hang.
 * @param {Tab} tab
 * @returns {Promise<void>}
 * @throws {Failure} `tab_not_scriptable`, `tab_not_found`
 */
async function inject(tab) {
  const tabId = tab.id;
  try {
    await chrome.scripting.executeScript({ target: { tabId }, files: [LATE, ...EVERYWHERE, ...TOP], injectImmediately: true });
    const all = { target: { tabId, allFrames: true }, files: [LATE, ...EVERYWHERE], injectImmediately: true };
    chrome.scripting.executeScript(all).catch(() => {}); // the tab is closed, or shows another page by now
  } catch (fault) {
    const now = await openTab(tab.id, `The tab ${tab.id} was closed before its page answered.`);
    throw closedTo(now, obstacleOf(now) ?? obstacleFrom(String(/** @type {Error} */ (fault).message), now.url ?? ''));
  }
}

/**
 * Inject into one frame what a page's own has from the start.
 * @param {Tab} tab
 * @returns {Promise<void>}
 * @throws {Failure} `frame_not_scriptable`
 */
async function injectFrame({ id: tabId, frame = 0 }) {
  try {
    const target = { tabId, frameIds: [frame] };
    await chrome.scripting.executeScript({ target, files: [LATE, ...EVERYWHERE, ...FRAME], injectImmediately: true });
  } catch (fault) {
    throw frameClosed(`Chrome refuses (${/** @type {Error} */ (fault).message})`);
  }
}
