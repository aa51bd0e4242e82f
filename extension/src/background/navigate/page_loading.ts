// Brings a tab to an address and waits until its page is loaded; it must not know why.

import { Failure } from '../failure.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';

/** `born` is another in every document */
export type Place = { url: string; origin: string; born: number };

/** Ask a tab's page where it is. */
export async function placeOf(tab: Tab, signal: AbortSignal): Promise<Place> {
  return (await askPage(tab, 'page_place', {}, signal)) as Place;
}

/**
 * Load an address, also where the tab's page is there already.
 * @param before the page that is left
 * @returns the page that came, once it is complete
 * @throws what `askPage` says of a page that could not be loaded
 */
export function load(tab: Tab, url: string, before: Place, signal: AbortSignal): Promise<Place> {
  const ended = new AbortController();
  const arrived: Promise<Place> = new Promise((resolve, reject) => {
    const look = async () => {
      const now = await placeOf(await openTab(tab.id), signal);
      if (now.born !== before.born) resolve(now); // else it was the page that is left that was complete
    };
    const hear = (id: number, { status }: chrome.tabs.OnUpdatedInfo) => {
      if (id === tab.id && status === 'complete') look().catch(reject);
    };
    const miss = (id: number) => {
      if (id === tab.id) reject(new Failure('tab_not_found', `The tab ${id} was closed while it was loading.`));
    };
    chrome.tabs.onUpdated.addListener(hear);
    chrome.tabs.onRemoved.addListener(miss);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
    ended.signal.addEventListener('abort', () => {
      chrome.tabs.onUpdated.removeListener(hear);
      chrome.tabs.onRemoved.removeListener(miss);
    });
    leave(tab, url, before.url, signal).catch(reject);
  });
  return arrived.finally(() => ended.abort());
}

/**
 * Start to load an address. One that only leads to another place in the page would load nothing: it is written into the
 * page's address, of which the page hears nothing, and that is loaded again.
 */
async function leave(tab: Tab, url: string, from: string, signal: AbortSignal) {
  if (!url.includes('#') || bare(url) !== bare(from)) return void (await chrome.tabs.update(tab.id, { url }));
  await askPage(tab, 'rename_page', { url }, signal);
  await chrome.tabs.reload(tab.id);
}

function bare(url: string) {
  return url.replace(/#.*/s, '');
}
