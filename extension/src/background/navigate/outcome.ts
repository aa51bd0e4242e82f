// Says where an action has led, beyond its page: to another page, to none, to a file, to a new tab; it must not wait for any.

import { openTab, type Tab } from '../tabs/tabs.ts';
import type { Exchange } from './requests.ts';

/**
 * `navigating`: another page was asked for and has not come yet; `load_error`: it will not; `status`: how its server
 * answered, if it is a fault; `download`: a file came in its place; `opened_tab`: the action has opened it.
 */
export type Leads = { navigating?: true; load_error?: string; status?: number; download?: true; opened_tab?: number };

/**
 * Tell whether a request for a document is one that the page makes ahead, for a page that nobody has gone to
 * (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API): it is made in the name of the document that is there.
 * @param details of webRequest, of type `main_frame`
 */
export function isAhead({ documentLifecycle, documentId }: { documentLifecycle?: string; documentId?: string }) {
  return documentLifecycle === 'prerender' || documentId !== undefined;
}

/**
 * Tell whether an answer says that what comes is to be saved, not shown. Chrome saves nothing of one that is a fault, or sends on.
 * @param details of webRequest
 */
export function isAttached({
  statusCode,
  responseHeaders: headers = [],
}: {
  statusCode: number;
  responseHeaders?: { name?: string; value?: string }[];
}) {
  if (statusCode >= 300) return false;
  const told = headers.find(({ name = '' }) => name.toLowerCase() === 'content-disposition')?.value ?? '';
  return /^\s*attachment/i.test(told);
}

/** @param error what a page gives up itself is no fault */
export function isFault(error: string) {
  return error !== '' && error !== 'net::ERR_ABORTED';
}

/**
 * @param exchanges of the action, in order
 * @param gone its page has been left
 */
export function leadsOf(exchanges: Exchange[], gone: boolean): Leads {
  const last = exchanges.findLast(({ type }) => type === 'main_frame');
  if (!last) return {};
  if (isFault(last.error)) return { load_error: last.error };
  if (last.attached) return { download: true };
  if (gone) return last.status >= 400 ? { status: last.status } : {};
  return last.end === null ? { navigating: true } : {};
}

/** Hears of the tabs that one tab opens, from now on. */
export class OpenedTabs {
  #last: number | undefined;
  #hear;

  constructor(opener: number) {
    this.#hear = ({ id, openerTabId }: chrome.tabs.Tab) => {
      if (openerTabId === opener) this.#last = id;
    };
    chrome.tabs.onCreated.addListener(this.#hear);
  }

  /** Hear no more. */
  end(): Leads {
    chrome.tabs.onCreated.removeListener(this.#hear);
    return this.#last === undefined ? {} : { opened_tab: this.#last };
  }
}

/**
 * Say where a tab is that its action has left, if it is still there; of a frame's action, that its frame has gone on.
 */
export async function whereIs({ id, frame }: Tab): Promise<{ navigated: true; url?: string } | { closed: true }> {
  try {
    const { url = '' } = await openTab(id);
    return { navigated: true, ...(!frame && { url }) };
  } catch {
    return { closed: true };
  }
}
