// The actions new_tab, switch_tab and close_tab.

import { Failure } from '../failure.ts';
import { expectDialogs, untilDialog } from '../tabs/open_dialogs.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { comesToRest } from './coming_to_rest.ts';
import { navigateAndWait } from './navigation.ts';
import { addressFrom, arrivalFields } from './navigation_actions.ts';
import { TabRequests } from './requests.ts';

const BLANK = 'about:blank';

/** The longest wait for an empty page, on a very busy machine. */
const BLANK_MS = 2000;

/** Open a tab in front, and wait until its page is loaded. */
export async function newTab(_: Tab, { action, url }: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  const wanted = url === undefined ? undefined : await addressFrom(url);
  const tab = (await chrome.tabs.create({ active: true, ...(wanted && { url: BLANK }) })) as Tab;
  const arrival = wanted && (await load(tab, wanted, signal));
  const now = await openTab(tab.id);
  const reply = { success: true, action, tab_id: tab.id, url: now.url || wanted || '', title: now.title ?? '' };
  return { ...reply, ...(arrival && arrivalFields(arrival)) };
}

export async function switchTab(tab: Tab, { action }: Record<string, unknown>): Promise<object> {
  await chrome.tabs.update(tab.id, { active: true });
  await chrome.windows.update(tab.windowId, { focused: true });
  return { success: true, action, tab_id: tab.id, url: tab.url ?? '', title: tab.title ?? '' };
}

export async function closeTab({ id }: Tab, { action }: Record<string, unknown>): Promise<object> {
  if ((await chrome.tabs.query({})).length === 1) {
    throw new Failure('invalid_params', 'This is the last tab: Chrome would end, and Gasoline could not reach it.', {
      details: { parameter: 'tab_id', value: id },
      recovery: 'Open another one first, with interact(action:"new_tab").',
    });
  }
  await chrome.tabs.remove(id);
  return { success: true, action, tab_id: id };
}

/** Wait until the tab's first, empty page is there: its end must not be taken for that of the wanted one. */
async function blankPage({ id }: Tab) {
  const until = performance.now() + BLANK_MS;
  while ((await openTab(id)).status !== 'complete' && performance.now() < until)
    await new Promise((done) => setTimeout(done, 5));
}

async function load(tab: Tab, url: string, signal: AbortSignal) {
  await blankPage(tab);
  expectDialogs(tab.id);
  const start = () => chrome.tabs.update(tab.id, { url });
  return untilDialog(tab.id, signal, async (ended) => {
    const requests = new TabRequests(tab.id);
    try {
      const arrival = await navigateAndWait(tab, start, ended);
      const rests = arrival.slow || (await comesToRest(await openTab(tab.id), requests, ended));
      return { ...arrival, slow: arrival.slow || !rests };
    } finally {
      requests.end();
    }
  });
}
