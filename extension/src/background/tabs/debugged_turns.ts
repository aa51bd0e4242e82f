// Keeps the debugger attached to a tab between the scripts of one turn.
//
// Chrome's bar comes once, and what attaching costs is paid once: Chrome repeats every line of the page's console, and
// names all of its scripts. Meanwhile the user keeps what is theirs: a dialog of theirs is not touched, a breakpoint of
// their developer tools holds the page, and a page is never loaded while we are attached for this, as loads are measured.

import { type Attachment, attach } from './debugger.ts';
import { observeDialogs } from './open_dialogs.ts';
import type { Tab } from './tabs.ts';

/** So long after its last script a tab is let go: its lease (permit/leases.ts) and the time of some thoughts. */
export const STAYS_MS = 8_000;

/** After so many lines of its console a page is let go: each is sent to us. */
const LINES = 200;

/** `end`: let go of the tab. */
type Stay = { attachment: Attachment; timer: any; end: () => void };

/** By tab. */
const stays: Map<number, Stay> = new Map();

/** The tabs whose debugging the user has ended in Chrome's bar: there it ends with each script. */
const declined: Set<number> = new Set();

/** The tabs of those whose next script has not said so yet. */
const unreported: Set<number> = new Set();

/** Attach to a tab for a script; `wasEnded`: the user has ended the debugging since the last one. */
export async function attachForScript(tab: Tab): Promise<{ attachment: Attachment; wasEnded: boolean }> {
  const attachment = await attach(tab);
  return { attachment, wasEnded: unreported.delete(tab.id) };
}

/** Stay attached for the next script of the turn. */
export function stayAttached(tab: number, attachment: Attachment) {
  if (declined.has(tab) || attachment.gone.aborted) return;
  let stay = stays.get(tab);
  if (stay?.attachment !== attachment) {
    letGo(tab);
    stay = begin(tab, attachment);
    stays.set(tab, stay);
  }
  clearTimeout(stay.timer);
  stay.timer = setTimeout(() => letGo(tab), STAYS_MS);
}

/** Detach from a tab, unless it is debugged for another reason. */
export function letGo(tab: number) {
  stays.get(tab)?.end();
}

/** Detach from every tab: the user has switched AI Web Pilot off. */
export function letGoOfAll() {
  for (const tab of [...stays.keys()]) letGo(tab);
}

/** Drop what is known of a tab that was closed. */
export function forgetTurn(tab: number) {
  letGo(tab);
  declined.delete(tab);
  unreported.delete(tab);
}

function begin(tab: number, attachment: Attachment): Stay {
  const ended = new AbortController();
  const end = () => {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(stay.timer);
    if (stays.get(tab) === stay) stays.delete(tab);
    void attachment.release();
  };
  const stay: Stay = { attachment, timer: undefined, end };
  attachment.share();
  attachment.dialogObserver = observeDialogs(tab);
  attachment.isKept = true;
  void attachment.guarded; // DevTools may be opened now, whose breakpoints would hold a script that is not
  let lines = 0;
  attachment.onLine = () => ++lines > LINES && end();
  attachment.gone.addEventListener('abort', () => {
    if (!ended.signal.aborted && isByUser(attachment.gone.reason)) unreported.add(tab) && declined.add(tab);
    end();
  });
  const { onBeforeRequest } = chrome.webRequest;
  const requested = () => void end() as undefined;
  onBeforeRequest.addListener(requested, { urls: ['<all_urls>'], tabId: tab, types: ['main_frame'] });
  void whetherLoads(tab).then((loads) => loads && end());
  ended.signal.addEventListener('abort', () => {
    onBeforeRequest.removeListener(requested);
    Object.assign(attachment, { dialogObserver: undefined, onLine: undefined, isKept: false });
  });
  return stay;
}

/** Whether a tab is loading a page: it may have been requested before the script ended. */
async function whetherLoads(tab: number): Promise<boolean> {
  const { status } = await chrome.tabs.get(tab).catch(() => ({ status: 'unloaded' }));
  return status !== 'complete';
}

function isByUser(reason: unknown): boolean {
  return reason instanceof Error && reason.message === 'canceled_by_user';
}
