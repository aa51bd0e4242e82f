// Remembers the Cache-Control of the files that tabs load, from the first analysis of a tab's performance on.
//
// Resource Timing does not have it. A listener for every tab would wake the worker for each request of the browser.

type Details = { url: string; responseHeaders?: { name: string; value?: string }[] };

const TYPES = ['script', 'stylesheet', 'image', 'font'] as chrome.webRequest.ResourceType[];

const FILES = 500;
const CHARACTERS = 200;
const TABS = 20;

const watched: Map<number, CacheHeaders> = new Map();

class CacheHeaders {
  /** By address, without its query. */
  readonly kept: Map<string, string> = new Map();
  readonly received: (details: Details) => void = ({ url, responseHeaders = [] }) => {
    const found = responseHeaders.find(({ name }) => name.toLowerCase() === 'cache-control');
    if (this.kept.size < FILES) this.kept.set(bare(url), (found?.value ?? '').slice(0, CHARACTERS));
  };
}

/** The Cache-Control by address, empty for a file without it; undefined for a tab that was not watched until now. */
export function cacheHeadersOf(tab: number): Map<string, string> | undefined {
  const known = watched.get(tab);
  if (!known) watch(tab);
  return known?.kept;
}

export function forgetCacheHeaders(tab: number) {
  const known = watched.get(tab);
  watched.delete(tab);
  if (known) chrome.webRequest.onHeadersReceived.removeListener(known.received as never);
}

function watch(tab: number) {
  const [oldest] = watched.keys();
  if (watched.size >= TABS && oldest !== undefined) forgetCacheHeaders(oldest);
  const headers = new CacheHeaders();
  watched.set(tab, headers);
  const filter = { urls: ['<all_urls>'], tabId: tab, types: TYPES };
  chrome.webRequest.onHeadersReceived.addListener(headers.received as never, filter, ['responseHeaders']);
}

function bare(url: string) {
  return url.split(/[?#]/)[0] as string;
}
