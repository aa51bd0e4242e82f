// Waits for a moment until a page that has come is drawn: single-page applications draw after their load.

import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import { ANSWER_MS, within } from './load_history.ts';
import type { TabRequests } from './requests.ts';

/** A page that has neither changed nor requested anything for so long rests; LCP takes as long (load_history.ts). */
const QUIET_MS = 100;

/** The longest wait: as long as for a page to be idle after an action. */
const CAP_MS = 500;

const POLL_MS = 25;

/** Whether the page comes to rest. One that cannot be asked does: what keeps it is reported otherwise. */
export async function comesToRest(tab: Tab, requests: TabRequests, signal: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + CAP_MS; ; ) {
    const asked = within(ANSWER_MS, askPage(tab, 'page_drawing', {}, signal), '').catch(() => undefined);
    const page = (await asked) as { quietMs: number; drawing: boolean } | undefined;
    signal.throwIfAborted();
    if (!page || (!page.drawing && Math.min(page.quietMs, requests.quietMs) >= QUIET_MS)) return true;
    if (performance.now() >= until) return false;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
