// Says where an action has led, beyond its page: to another page, to none, to a file, to a new tab; it must not wait for any.

import { openTab } from './tabs.js';

/** @typedef {import('./network.js').Exchange} Exchange */
/** @typedef {import('./tabs.js').Tab} Tab */

/**
 * `navigating`: another page was asked for and has not come yet; `load_error`: it will not; `status`: how its server
 * answered, if it is a fault; `download`: a file came in its place; `opened_tab`: the action has opened it.
 * @typedef {{navigating?: true, load_error?: string, status?: number, download?: true, opened_tab?: number}} Leads
 */

/**
 * Tell whether a request for a document is one that the page makes ahead, for a page that nobody has gone to
 * (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API): it is made in the name of the document that is there.
 * @param {{documentLifecycle?: string, documentId?: string}} details  of webRequest, of type `main_frame`
 */
export function isAhead({ documentLifecycle, documentId }) {
  return documentLifecycle === 'prerender' || documentId !== undefined;
}

/**
 * Tell whether an answer says that what comes is to be saved, not shown. Chrome saves nothing of one that is a fault, or sends on.
 * @param {{statusCode: number, responseHeaders?: {name?: string, value?: string}[]}} details  of webRequest
 */
export function isAttached({ statusCode, responseHeaders: headers = [] }) {
  if (statusCode >= 300) return false;
  const told = headers.find(({ name = '' }) => name.toLowerCase() === 'content-disposition')?.value ?? '';
  return /^\s*attachment/i.test(told);
}

/** @param {string} error  what a page gives up itself is no fault */
export function isFault(error) {
  return error !== '' && error !== 'net::ERR_ABORTED';
}

/**
 * @param {Exchange[]} exchanges  of the action, in order
 * @param {boolean} gone  its page has been left
 * @returns {Leads}
 */
export function leadsOf(exchanges, gone) {
  const last = exchanges.findLast(({ type }) => type === 'main_frame');
  if (!last) return {};
  if (isFault(last.error)) return { load_error: last.error };
  if (last.attached) return { download: true };
  if (gone) return last.status >= 400 ? { status: last.status } : {};
  return last.end === null ? { navigating: true } : {};
}

/** Hears of the tabs that one tab opens, from now on. */
export class OpenedTabs {
  /** @type {number | undefined} */
  #last;
  #hear;

  /** @param {number} opener */
  constructor(opener) {
    this.#hear = (/** @type {chrome.tabs.Tab} */ { id, openerTabId }) => {
      if (openerTabId === opener) this.#last = id;
    };
    chrome.tabs.onCreated.addListener(this.#hear);
  }

  /**
   * Hear no more.
   * @returns {Leads}
   */
  end() {
    chrome.tabs.onCreated.removeListener(this.#hear);
    return this.#last === undefined ? {} : { opened_tab: this.#last };
  }
}

/**
 * Say where a tab is that its action has left, if it is still there; of a frame's action, that its frame has gone on.
 * @param {Tab} tab
 * @returns {Promise<{navigated: true, url?: string} | {closed: true}>}
 */
export async function whereIs({ id, frame }) {
  try {
    const { url = '' } = await openTab(id);
    return { navigated: true, ...(!frame && { url }) };
  } catch {
    return { closed: true };
  }
}
