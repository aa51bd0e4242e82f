// Reports the navigation or download that an action caused.

import { openTab, type Tab } from '../tabs/tabs.ts';
import type { Exchange } from './requests.ts';

/**
 * `navigating`: another page was requested and has not come yet; `load_error`: it will not come; `status`: its server
 * answered with an error; `download`: a file came in its place.
 */
type Outcome = { navigating?: true; load_error?: string; status?: number; download?: true };

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

/** What Chrome calls a request that the page itself aborted. */
export const ABORTED = 'net::ERR_ABORTED';

/** Whether a request failed; one that the page itself aborted has not. */
export function isFault(error: string) {
  return error !== '' && error !== ABORTED;
}

/** Find the last request for a document of the tab, or of the frame that the action was in. */
export function documentOf(exchanges: Exchange[], { frame = 0 }: Pick<Tab, 'frame'>): Exchange | undefined {
  const isMeant = (one: Exchange) => one.type === 'main_frame' || (one.type === 'sub_frame' && one.frame === frame);
  return exchanges.findLast(isMeant);
}

/** `exchanges`: of the action, in order; `gone`: its page was left. */
export function outcomeOf(exchanges: Exchange[], tab: Tab, gone: boolean): Outcome {
  const last = documentOf(exchanges, tab);
  if (!last) return {};
  if (isFault(last.error)) return { load_error: last.error };
  if (last.attachment) return { download: true };
  if (gone) return last.status >= 400 ? { status: last.status } : {};
  return last.end === null ? { navigating: true } : {};
}

type Place = { navigated: true; url?: string; title?: string };

/** Describe a tab whose page the action has left; of a `frame` that has navigated, its address is in its arrival. */
export async function whereTabIs({ id, frame }: Tab): Promise<Place | { closed: true }> {
  try {
    const { url = '', title = '' } = await openTab(id);
    return { navigated: true, ...(!frame && { url, ...(title && !url.includes(title) && { title }) }) };
  } catch {
    return { closed: true };
  }
}
