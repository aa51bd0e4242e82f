// The open tabs: the list of them, the one that a command means, the tracked one, the one in front.

import { TRACKED } from '../../shared/settings.ts';
import { Failure } from '../failure.ts';
import { siteClosed } from './access.ts';
import { withoutPage } from './excluded_sites.ts';

/**
 * `frame`: the frame that is meant, if not the page's own; `excluded`: the host of a site that the user keeps Gasoline out
 * of: of such a tab nothing else is known.
 */
export type Tab = chrome.tabs.Tab & { id: number; frame?: number; excluded?: string };

/** The longest address or title in a list of tabs. */
const NAME_CHARACTERS = 500;

/** List the open tabs. A command without a tab goes to the tracked one, or else to the `focused` one. */
export async function listTabs(): Promise<{ tabs: object[] }> {
  const [tabs, tracked, front] = await Promise.all([chrome.tabs.query({}), trackedId(), frontTab()]);
  const known = await Promise.all(tabs.filter(hasId).map(withoutPage));
  return {
    tabs: known.map((tab) => ({
      id: tab.id,
      windowId: tab.windowId,
      url: short(tab.url),
      title: short(tab.title),
      active: tab.active,
      focused: tab.id === front?.id,
      tracked: tab.id === tracked,
      discarded: tab.discarded,
      ...(tab.excluded !== undefined && { excluded: true }),
    })),
  };
}

/**
 * Find the tab that a command means: by its id, or, for 0 and undefined, the tracked one or the one in front. Throw for one
 * whose site is excluded.
 */
export async function targetTab(wanted: unknown): Promise<Tab> {
  const tab = await meantTab(wanted);
  if (tab.excluded !== undefined) throw siteClosed(tab.excluded);
  return tab;
}

async function meantTab(wanted: unknown): Promise<Tab> {
  if (wanted) return openTab(wanted as number);
  const tab = (await trackedTab()) ?? (await frontTab());
  if (!tab) throw new Failure('tab_not_found', 'No browser window is open.', { recovery: 'Ask the user to open one.' });
  return tab;
}

/** Look up an open tab; without one, throw `tab_not_found` with this message. */
export async function openTab(id: number, message: string = `No open tab has the id ${id}.`): Promise<Tab> {
  const tab = await lookUp(id);
  if (!tab) throw new Failure('tab_not_found', message, { details: { tab_id: id } });
  return tab;
}

/** Stop tracking a tab that was closed. */
export async function untrack(id: number) {
  if (id === (await trackedId())) await chrome.storage.local.remove(TRACKED);
}

/** Stop tracking: the ids of tabs change when the browser starts. */
export async function untrackAll() {
  await chrome.storage.local.remove(TRACKED);
}

/** Send a message to every frame of every tab that has our content scripts. */
export async function sendToTabs(message: (tab: number) => unknown) {
  const tabs = (await chrome.tabs.query({ discarded: false })).filter(hasId);
  await Promise.allSettled(tabs.map(({ id }) => chrome.tabs.sendMessage(id, message(id))));
}

async function trackedTab(): Promise<Tab | undefined> {
  const id = await trackedId();
  if (id === undefined) return undefined;
  const tab = await lookUp(id);
  if (!tab) await untrack(id);
  return tab;
}

async function trackedId(): Promise<number | undefined> {
  const { trackedTabId } = await chrome.storage.local.get('trackedTabId');
  return typeof trackedTabId === 'number' ? trackedTabId : undefined;
}

/** Find the active tab of the normal window that was last in front. */
export async function frontTab(): Promise<Tab | undefined> {
  try {
    const { tabs = [] } = await chrome.windows.getLastFocused({ populate: true, windowTypes: ['normal'] });
    const tab = tabs.filter(hasId).find(({ active }) => active);
    return tab && (await withoutPage(tab));
  } catch {
    return undefined;
  }
}

async function lookUp(id: number): Promise<Tab | undefined> {
  try {
    const tab = await chrome.tabs.get(id);
    return hasId(tab) ? await withoutPage(tab) : undefined;
  } catch {
    return undefined;
  }
}

/** The tabs of the developer tools have no id. */
function hasId(tab: chrome.tabs.Tab): tab is Tab {
  return tab.id !== undefined && tab.id > 0;
}

function short(text: string | undefined = '') {
  return text.slice(0, NAME_CHARACTERS).toWellFormed();
}
