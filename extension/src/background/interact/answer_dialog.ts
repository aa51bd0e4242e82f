// The action dialog: answers the dialog of a tab, and reports what came of the action that it interrupted, and of the answer.

import { withoutPage } from '../tabs/excluded_sites.ts';
import { answerDialog, expectDialogs } from '../tabs/open_dialogs.ts';
import type { Tab } from '../tabs/tabs.ts';
import { reportInterrupted } from './interrupted_actions.ts';

/** The longest wait for the page's own script to run to its end, and for a page that comes then. */
const RUNS_MS = 5000;
const LOADED_MS = 20_000;

/** A page that leaves has begun to after this time; after a dialog that asks whether to leave, it surely does. */
const LEAVES_MS = 50;
const LEAVES_SURELY_MS = 1000;

const POLL_MS = 25;

export async function answerOpenDialog(
  tab: Tab,
  { accept, text, action }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
  const leaving = watchLeaving(tab.id);
  try {
    const { type } = await answerDialog(tab, accept === true, text as string | undefined);
    expectDialogs(tab.id); // received once the page's script has run to its end
    if (type !== 'beforeunload' && tab.status === 'loading') leaving.begun = true; // opened while the page was loading
    const leaves = type === 'beforeunload' && accept === true;
    if (!leaves) await scriptEnd(tab.id);
    const arrival = await arrived(tab.id, leaving, leaves ? LEAVES_SURELY_MS : LEAVES_MS, signal);
    const report = arrival.closed ? {} : await reportInterrupted(tab.id, signal);
    return { ...report, success: true, action, dialog: type, ...arrival };
  } finally {
    leaving.end();
  }
}

/** Wait until the page answers, so its script has ended. */
function scriptEnd(tab: number) {
  const asked = chrome.tabs.sendMessage(tab, { name: 'page_place', arguments: {} }, { frameId: 0 }).catch(() => {});
  return Promise.race([asked, new Promise((done) => setTimeout(done, RUNS_MS))]);
}

function watchLeaving(tab: number) {
  const leaving = { begun: false, end: () => chrome.tabs.onUpdated.removeListener(onUpdated) };
  const onUpdated: (id: number, change: chrome.tabs.OnUpdatedInfo) => void = (id, { status, url }) => {
    if (id === tab && (status === 'loading' || url)) leaving.begun = true;
  };
  chrome.tabs.onUpdated.addListener(onUpdated);
  return leaving;
}

/** Wait for the page that may come; empty if the tab still shows the same one. */
async function arrived(
  tab: number,
  leaving: { begun: boolean },
  leavesMs: number,
  signal: AbortSignal,
): Promise<{ navigated?: true; url?: string; closed?: true }> {
  const begun = performance.now();
  for (;;) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
    const waited = performance.now() - begun;
    const now = await chrome.tabs
      .get(tab)
      .then(withoutPage)
      .catch(() => undefined);
    if (!now) return { closed: true };
    const isLoaded = now.status !== 'loading' && (leaving.begun || waited >= leavesMs);
    if (isLoaded || waited >= LOADED_MS) return leaving.begun ? { navigated: true, url: now.url ?? '' } : {};
  }
}
