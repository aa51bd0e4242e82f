// Loads an address in a tab for a saved state, even one that the tab shows already.

import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { closedWhileLoading } from './navigation_failures.ts';

/** `born` differs in every document. */
export type Place = { url: string; origin: string; born: number };

export async function placeOf(tab: Tab, signal: AbortSignal): Promise<Place> {
  return (await askPage(tab, 'page_place', {}, signal)) as Place;
}

/** Load an address in the place of the page `before`, and wait until the new page is complete. */
export function load(tab: Tab, url: string, before: Place, signal: AbortSignal): Promise<Place> {
  const ended = new AbortController();
  const arrived: Promise<Place> = new Promise((resolve, reject) => {
    const check = async () => {
      const now = await placeOf(await openTab(tab.id), signal);
      if (now.born !== before.born) resolve(now); // else the page before was complete
    };
    const onUpdated = (id: number, { status }: chrome.tabs.OnUpdatedInfo) => {
      if (id === tab.id && status === 'complete') check().catch(reject);
    };
    const onRemoved = (id: number) => {
      if (id === tab.id) reject(closedWhileLoading(tab));
    };
    chrome.tabs.onUpdated.addListener(onUpdated);
    chrome.tabs.onRemoved.addListener(onRemoved);
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
    ended.signal.addEventListener('abort', () => {
      chrome.tabs.onUpdated.removeListener(onUpdated);
      chrome.tabs.onRemoved.removeListener(onRemoved);
    });
    startLoad(tab, url, before.url, signal).catch(reject);
  });
  return arrived.finally(() => ended.abort());
}

/**
 * Start to load an address. One that differs only in its fragment would load nothing: it is written into the page's
 * address, without an event in the page, and the page is reloaded.
 */
async function startLoad(tab: Tab, url: string, from: string, signal: AbortSignal) {
  if (!url.includes('#') || withoutFragment(url) !== withoutFragment(from))
    return void (await chrome.tabs.update(tab.id, { url }));
  await askPage(tab, 'rename_page', { url }, signal);
  await chrome.tabs.reload(tab.id);
}

function withoutFragment(url: string) {
  return url.replace(/#.*/s, '');
}
