// Answers the dialog of a tab for an assistant, and tells where that led; it must know nothing of how a dialog is kept.

import { Failure } from '../failure.ts';
import { answerDialog, expectDialogs, untilDialog } from '../tabs/open_dialogs.ts';
import type { Tab } from '../tabs/tabs.ts';

/** The longest wait for the page's own script to go on and end, and for a page that comes then. */
const RUNS_MS = 5000;
const LOADED_MS = 20_000;

/** So soon has a page begun to leave, if it does; with a dialog that asks whether to leave, it will. */
const LEAVES_MS = 50;
const LEAVES_SURELY_MS = 1000;

/** How often is looked. */
const LOOK_MS = 25;

/**
 * Answer the dialog that is open, and wait for what comes of it.
 * @param query `accept`, `text` for a prompt
 * @throws `not_found`, `dialog_open` if the user alone can answer it, or if another opens then
 */
export async function answer(
  tab: Tab,
  { accept, text, action }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
  if (typeof accept !== 'boolean') throw refused('accept', accept, 'accept must be true (OK) or false (Cancel).');
  if (text !== undefined && typeof text !== 'string') throw refused('text', text, 'text must be a text.');
  return untilDialog(tab.id, signal, async (ended) => {
    const leaving = watchLeaving(tab.id);
    try {
      const { type } = await answerDialog(tab, accept, text);
      expectDialogs(tab.id); // heard once the page's script has come to its end
      if (type !== 'beforeunload' && tab.status === 'loading') leaving.begun = true; // the page opened it as it came
      const leaves = type === 'beforeunload' && accept;
      if (!leaves) await running(tab.id);
      return {
        success: true,
        action,
        dialog: type,
        ...(await arrived(tab.id, leaving, leaves ? LEAVES_SURELY_MS : LEAVES_MS, ended)),
      };
    } finally {
      leaving.end();
    }
  });
}

function running(tab: number) {
  const asked = chrome.tabs.sendMessage(tab, { name: 'page_place', arguments: {} }, { frameId: 0 }).catch(() => {});
  return Promise.race([asked, new Promise((done) => setTimeout(done, RUNS_MS))]);
}

function watchLeaving(tab: number) {
  const seen = { begun: false, end: () => chrome.tabs.onUpdated.removeListener(hear) };
  const hear: (id: number, change: chrome.tabs.OnUpdatedInfo) => void = (id, { status, url }) => {
    if (id === tab && (status === 'loading' || url)) seen.begun = true;
  };
  chrome.tabs.onUpdated.addListener(hear);
  return seen;
}

/** Returns what the tab shows, if it is another page; or that it is gone */
async function arrived(
  tab: number,
  leaving: { begun: boolean },
  leavesMs: number,
  signal: AbortSignal,
): Promise<{ navigated?: true; url?: string; closed?: true }> {
  const begun = performance.now();
  for (;;) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    signal.throwIfAborted();
    const waited = performance.now() - begun;
    const now = await chrome.tabs.get(tab).catch(() => undefined);
    if (!now) return { closed: true };
    const here = now.status !== 'loading' && (leaving.begun || waited >= leavesMs);
    if (here || waited >= LOADED_MS) return leaving.begun ? { navigated: true, url: now.url ?? '' } : {};
  }
}

function refused(parameter: string, value: unknown, message: string) {
  return new Failure('invalid_params', message, { details: { parameter, value } });
}
