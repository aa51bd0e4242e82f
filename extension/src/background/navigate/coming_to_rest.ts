// Waits for a moment until a page that has come is drawn: single-page applications draw after their load.

import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';
import { ANSWER_MS, within } from './load_history.ts';
import type { TabRequests } from './requests.ts';

/** A page that has neither changed nor requested anything for so long rests: one that draws after its load, and any other. */
const QUIET_MS = { changed: 100, unchanged: 50 };

/** The longest wait: as long as for a page to be idle after an action. */
const CAP_MS = 500;

/** The shortest and the longest pause between two looks. */
const PAUSE_MS = { least: 5, most: 25 };

/** Whether the page comes to rest. One that cannot be asked does: what keeps it is reported otherwise. */
export async function comesToRest(tab: Tab, requests: TabRequests, signal: AbortSignal): Promise<boolean> {
  for (const until = performance.now() + CAP_MS; ; ) {
    let pauseMs = PAUSE_MS.most;
    const asked = within(ANSWER_MS, askPage(tab, 'page_drawing', {}, signal), '').catch(() => undefined);
    const page = (await asked) as { quietMs: number; changed: boolean; drawing: boolean } | undefined;
    signal.throwIfAborted();
    if (!page) return true;
    if (!page.drawing) {
      const wanted = page.changed ? QUIET_MS.changed : QUIET_MS.unchanged;
      const left = wanted - Math.min(page.quietMs, requests.quietMs);
      if (left <= 0) return true;
      pauseMs = Math.min(Math.max(left, PAUSE_MS.least), PAUSE_MS.most);
    }
    if (performance.now() >= until) return false;
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}
