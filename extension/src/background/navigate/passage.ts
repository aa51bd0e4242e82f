// Waits for the page that an action leads to, as navigate does: a link that was clicked, a form that was sent.

import { openTab, type Tab } from '../tabs/tabs.ts';
import { LOADED_MS } from './navigation.ts';
import { isFault } from './outcome.ts';
import type { Exchange } from './requests.ts';

const POLL_MS = 20;

/** A response that brings no page leaves the tab as it was, at the latest after this time. */
const SHOWN_MS = 500;

/** `arrived`: the tab shows what was requested; `slow`: it is not complete within the bound. */
export type Passage = 'none' | 'arrived' | 'slow';

/** Wait until the tab has loaded the document that was requested last, or for as long as a navigation may take. */
export async function waitForPassage(tab: Tab, exchanges: () => Exchange[], signal: AbortSignal): Promise<Passage> {
  const until = performance.now() + LOADED_MS;
  for (let last = documentOf(exchanges()); last; last = documentOf(exchanges())) {
    if (bringsNoPage(last)) return 'none';
    if (last.end !== null && (await isShown(tab, last, signal))) return last.error ? 'none' : 'arrived';
    if (performance.now() >= until) return 'slow';
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
  }
  return 'none';
}

function documentOf(exchanges: Exchange[]): Exchange | undefined {
  return exchanges.findLast(({ type }) => type === 'main_frame');
}

function bringsNoPage({ error, attachment, status }: Exchange): boolean {
  return isFault(error) || attachment === true || status === 204 || status === 205;
}

/** Whether the tab is complete, a moment after the response at least: until then it shows the page before. */
async function isShown({ id }: Tab, { end, error }: Exchange, signal: AbortSignal): Promise<boolean> {
  const { status, pendingUrl } = await openTab(id);
  signal.throwIfAborted();
  if (status !== 'complete' || pendingUrl !== undefined) return false;
  return error === '' || performance.now() - (end ?? 0) > SHOWN_MS;
}
