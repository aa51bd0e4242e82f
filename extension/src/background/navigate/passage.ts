// Waits for the page that an action leads to, as navigate does: a link that was clicked, a form that was sent.

import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { LOADED_MS } from './navigation.ts';
import { documentOf, isFault } from './outcome.ts';
import type { Exchange } from './requests.ts';

const POLL_MS = 20;

/** A response that brings no page leaves the tab as it was, at the latest after this time. */
const SHOWN_MS = 500;

/** `arrived`: the tab shows what was requested; `slow`: it is not complete within the bound. */
export type Passage = 'none' | 'arrived' | 'slow';

/** Wait until the tab or frame has loaded the document that was requested last, or for as long as a navigation may take. */
export async function waitForPassage(tab: Tab, exchanges: () => Exchange[], signal: AbortSignal): Promise<Passage> {
  const until = performance.now() + LOADED_MS;
  const requested = () => documentOf(exchanges(), tab);
  for (let last = requested(); last; last = requested()) {
    if (bringsNoPage(last)) return 'none';
    if (last.end !== null && (await isShown(tab, last, signal))) return last.error ? 'none' : 'arrived';
    if (performance.now() >= until) return 'slow';
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
  }
  return 'none';
}

function bringsNoPage({ error, attachment, status }: Exchange): boolean {
  return isFault(error) || attachment === true || status === 204 || status === 205;
}

/** Whether the tab is complete, a moment after the response at least: until then it shows the page before; or closed. */
async function isShown(at: Tab, { type, end, error }: Exchange, signal: AbortSignal): Promise<boolean> {
  const isLate = performance.now() - (end ?? 0) > SHOWN_MS;
  if (type !== 'main_frame') return isFrameComplete(at, isLate, signal);
  const tab = await openTab(at.id).catch(() => undefined);
  if (!tab) return true; // the page has closed it, as a popup does when it is done
  const { status, pendingUrl } = tab;
  signal.throwIfAborted();
  if (status !== 'complete' || pendingUrl !== undefined) return false;
  return error === '' || isLate;
}

/** `assumed`: for a frame that cannot be asked, as it shows an error or what no extension may read. */
async function isFrameComplete(tab: Tab, assumed: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    return ((await askPage(tab, 'page_place', {}, signal)) as { state: string }).state === 'complete';
  } catch {
    signal.throwIfAborted();
    return assumed;
  }
}
