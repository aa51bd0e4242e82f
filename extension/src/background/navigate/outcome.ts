// Reports the navigation, download or new tab that an action caused.

import { openTab, type Tab } from '../tabs/tabs.ts';
import type { Exchange } from './requests.ts';

/**
 * `navigating`: another page was requested and has not come yet; `load_error`: it will not come; `status`: its server
 * answered with an error; `download`: a file came in its place; `opened_tab`: the tab that the action opened.
 */
type Outcome = { navigating?: true; load_error?: string; status?: number; download?: true; opened_tab?: number };

/**
 * Whether a request of webRequest, of type `main_frame`, is a prefetch of the page that is there
 * (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API): it is made in the name of that document.
 */
export function isAhead({ documentLifecycle, documentId }: { documentLifecycle?: string; documentId?: string }) {
  return documentLifecycle === 'prerender' || documentId !== undefined;
}

/** Whether a response is to be saved, not shown. Chrome saves nothing of an error or a redirect. */
export function isAttachment({
  statusCode,
  responseHeaders: headers = [],
}: {
  statusCode: number;
  responseHeaders?: { name?: string; value?: string }[];
}) {
  if (statusCode >= 300) return false;
  const value = headers.find(({ name = '' }) => name.toLowerCase() === 'content-disposition')?.value ?? '';
  return /^\s*attachment/i.test(value);
}

/** Whether a request failed; one that the page itself aborted has not. */
export function isFault(error: string) {
  return error !== '' && error !== 'net::ERR_ABORTED';
}

/** `exchanges`: of the action, in order; `gone`: its page was left. */
export function outcomeOf(exchanges: Exchange[], gone: boolean): Outcome {
  const last = exchanges.findLast(({ type }) => type === 'main_frame');
  if (!last) return {};
  if (isFault(last.error)) return { load_error: last.error };
  if (last.attachment) return { download: true };
  if (gone) return last.status >= 400 ? { status: last.status } : {};
  return last.end === null ? { navigating: true } : {};
}

/** Watches for tabs that a tab opens. */
export class OpenedTabs {
  #last: number | undefined;
  #onCreated;

  constructor(opener: number) {
    this.#onCreated = ({ id, openerTabId }: chrome.tabs.Tab) => {
      if (openerTabId === opener) this.#last = id;
    };
    chrome.tabs.onCreated.addListener(this.#onCreated);
  }

  end(): Outcome {
    chrome.tabs.onCreated.removeListener(this.#onCreated);
    return this.#last === undefined ? {} : { opened_tab: this.#last };
  }
}

type Place = { navigated: true; url?: string; title?: string };

/** Describe a tab whose page the action has left; for an action in a frame, only that the frame has navigated. */
export async function whereTabIs({ id, frame }: Tab): Promise<Place | { closed: true }> {
  try {
    const { url = '', title = '' } = await openTab(id);
    return { navigated: true, ...(!frame && { url, ...(title && !url.includes(title) && { title }) }) };
  } catch {
    return { closed: true };
  }
}
