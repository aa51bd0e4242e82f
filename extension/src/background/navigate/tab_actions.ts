// Opens, shows and closes tabs; it must not look into a page.

import { Failure } from '../failure.ts';
import { expectDialogs, untilDialog } from '../tabs/open_dialogs.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { passage } from './navigation.ts';
import { addressFrom, arrivalTold } from './navigation_actions.ts';

const BLANK = 'about:blank';

/** An empty page is there at once; this is for a browser that is very busy. */
const BLANK_MS = 2000;

/** What is done with whole tabs. */
export const TABBING = ['switch_tab', 'close_tab'];

/**
 * Open a tab in front, and wait until its page is loaded.
 * @param query `url`
 * @throws `invalid_params`, and as `passage` has them
 */
export async function newTab({ action, url }: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  const wanted = url === undefined ? undefined : addressFrom(url);
  const tab = (await chrome.tabs.create({ active: true, ...(wanted && { url: BLANK }) })) as Tab;
  const arrival = wanted && (await show(tab, wanted, signal));
  const now = await openTab(tab.id);
  const told = { success: true, action, tab_id: tab.id, url: now.url || wanted || '', title: now.title ?? '' };
  return { ...told, ...(arrival && arrivalTold(arrival)) };
}

/**
 * Show a tab, or close it.
 * @param query `action`
 * @throws `invalid_params`, `tab_not_found`
 */
export async function tabbing(tab: Tab, { action }: Record<string, unknown>): Promise<object> {
  if (action === 'close_tab') await close(tab);
  else await bringToFront(tab);
  return {
    success: true,
    action,
    tab_id: tab.id,
    ...(action === 'switch_tab' && { url: tab.url ?? '', title: tab.title ?? '' }),
  };
}

/** Wait until the tab's first, empty page is there: its end must not be taken for that of the wanted one. */
async function blank({ id }: Tab) {
  const until = performance.now() + BLANK_MS;
  while ((await openTab(id)).status !== 'complete' && performance.now() < until)
    await new Promise((done) => setTimeout(done, 5));
}

async function show(tab: Tab, url: string, signal: AbortSignal) {
  await blank(tab);
  expectDialogs(tab.id);
  return untilDialog(tab.id, signal, (ended) => passage(tab, () => chrome.tabs.update(tab.id, { url }), ended));
}

async function bringToFront({ id, windowId }: Tab) {
  await chrome.tabs.update(id, { active: true });
  await chrome.windows.update(windowId, { focused: true });
}

async function close({ id }: Tab) {
  if ((await chrome.tabs.query({})).length === 1) {
    throw new Failure('invalid_params', 'This is the last tab: Chrome would end, and Gasoline could not reach it.', {
      details: { parameter: 'tab_id', value: id },
      recovery: 'Open another one first, with interact(action:"new_tab").',
    });
  }
  await chrome.tabs.remove(id);
}
