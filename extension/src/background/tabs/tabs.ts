// Knows the tabs: which are open, which one a command means, which one is tracked; it must not look into a page.

import { TRACKED } from '../../shared/settings.ts';
import { Failure } from '../failure.ts';

/** `frame`: the one in it that is meant, if not the page's own */
export type Tab = chrome.tabs.Tab & { id: number; frame?: number };

/** The longest address or title in a list of tabs. */
const NAME_CHARACTERS = 500;

const LIST = 'List the open tabs with observe(what:"tabs").';

/**
 * List the open tabs. `focused` is the one in front: where a command goes that names no tab while none is tracked.
 */
export async function listTabs(): Promise<{ tabs: object[] }> {
  const [tabs, tracked, front] = await Promise.all([chrome.tabs.query({}), trackedId(), frontTab()]);
  return {
    tabs: tabs.filter(hasId).map((tab) => ({
      id: tab.id,
      windowId: tab.windowId,
      url: short(tab.url),
      title: short(tab.title),
      active: tab.active,
      focused: tab.id === front?.id,
      tracked: tab.id === tracked,
      discarded: tab.discarded,
    })),
  };
}

/**
 * Find the tab that a command means: the named one, else the tracked one, else the one in front.
 * @param wanted a tab's id; 0 or absent for none
 * @throws `tab_not_found`, `invalid_params`
 */
export async function targetTab(wanted: unknown): Promise<Tab> {
  const id = wanted ?? 0;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) throw notATab(id);
  if (id) return openTab(id);
  const tab = (await trackedTab()) ?? (await frontTab());
  if (!tab) throw new Failure('tab_not_found', 'No browser window is open.', { recovery: 'Ask the user to open one.' });
  return tab;
}

/**
 * Look up an open tab.
 * @param gone what to say if there is none
 * @throws `tab_not_found`
 */
export async function openTab(id: number, gone: string = `No open tab has the id ${id}.`): Promise<Tab> {
  const tab = await lookUp(id);
  if (!tab) throw new Failure('tab_not_found', gone, { details: { tab_id: id }, recovery: LIST });
  return tab;
}

/** Stop tracking a tab that was closed. */
export async function forget(id: number) {
  if (id === (await trackedId())) await chrome.storage.local.remove(TRACKED);
}

/** Stop tracking: a tab's id means nothing after the browser was closed. */
export async function forgetAll() {
  await chrome.storage.local.remove(TRACKED);
}

/** Tell every frame of every tab something; where no one listens, no one hears. */
export async function tellTabs(message: (tab: number) => unknown) {
  const tabs = (await chrome.tabs.query({ discarded: false })).filter(hasId);
  await Promise.allSettled(tabs.map(({ id }) => chrome.tabs.sendMessage(id, message(id))));
}

/** Returns the tracked tab; one that is gone is forgotten */
async function trackedTab(): Promise<Tab | undefined> {
  const id = await trackedId();
  if (id === undefined) return undefined;
  const tab = await lookUp(id);
  if (!tab) await forget(id);
  return tab;
}

async function trackedId(): Promise<number | undefined> {
  const { trackedTabId } = await chrome.storage.local.get('trackedTabId');
  return typeof trackedTabId === 'number' ? trackedTabId : undefined;
}

/**
 * Find the tab in front.
 * @returns the active one of the normal window that was last in front
 */
export async function frontTab(): Promise<Tab | undefined> {
  try {
    const { tabs = [] } = await chrome.windows.getLastFocused({ populate: true, windowTypes: ['normal'] });
    return tabs.filter(hasId).find(({ active }) => active);
  } catch {
    return undefined;
  }
}

async function lookUp(id: number): Promise<Tab | undefined> {
  try {
    const tab = await chrome.tabs.get(id);
    return hasId(tab) ? tab : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the tabs of the developer tools have none */
function hasId(tab: chrome.tabs.Tab): tab is Tab {
  return tab.id !== undefined && tab.id > 0;
}

function short(text: string | undefined = '') {
  return text.slice(0, NAME_CHARACTERS).toWellFormed();
}

function notATab(value: unknown) {
  return new Failure('invalid_params', 'tab_id must be the id of a tab, or 0 for the usual one.', {
    details: { parameter: 'tab_id', value },
    recovery: LIST,
  });
}
