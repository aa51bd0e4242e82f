// Names what keeps extensions out of a tab; it must ask nothing of Chrome, the fields of a tab are all that it reads.

export type Obstacle = { reason: string; because: string; recovery: string };

function obstacle(
  reason: string,
  because: string,
  recovery: string = 'Open a web page with interact(action:"navigate", url), or name another tab with tab_id.',
): Obstacle {
  return { reason, because, recovery };
}

const ERROR_PAGE = obstacle('error_page', 'its page could not be loaded', 'Reload it once its server answers.');
const LOADING = obstacle('loading', 'its first page has not arrived yet', 'Try again when it has.');
const UNLOADED = obstacle('not_loaded', 'its page crashed, or was never loaded', 'Reload it.');
const ASLEEP = obstacle('discarded', 'it was unloaded to save memory', 'Switch to it once: that loads it again.');
const FROZEN = obstacle('frozen', 'it is frozen to save energy', 'Switch to it once: that wakes it.');
const FOREIGN_FRAME = obstacle(
  'other_extension',
  'its page has a frame of another extension in it',
  'Ask the user to switch that extension off for this page (a password manager, for example), then reload the page.',
);
const LOCAL_FILE = obstacle(
  'file_access',
  'extensions see local files only if the user allows it',
  'Ask the user to switch on "Allow access to file URLs" for Gasoline on chrome://extensions.',
);

/**
 * What kinds of addresses are closed to extensions; the first that fits counts
 * (https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns).
 */
const CLOSED: [RegExp, Obstacle][] = [
  [/^view-source:/, obstacle('view_source', 'it shows the source of a page', 'Open the page itself.')],
  [/^devtools:/, obstacle('devtools', 'it is the developer tools')],
  [/^chrome-extension:/, obstacle('extension_page', 'it belongs to an extension')],
  [/^https:\/\/chromewebstore\.google\.com(\/|$)/, obstacle('web_store', 'it is the Chrome Web Store')],
  [/^https:\/\/chrome\.google\.com\/webstore(\/|$)/, obstacle('web_store', 'it is the Chrome Web Store')],
  [/^chrome-error:/, ERROR_PAGE],
  [/^(about|data|javascript):/, obstacle('no_address', 'its page comes from no server')],
  [/^(chrome|edge|brave|opera|vivaldi|chrome-[a-z]+):/, obstacle('browser_page', 'it is a page of the browser')],
];

/** Name what keeps an extension out of a tab, as far as the tab's fields show it. */
export function obstacleOf(
  tab: Pick<chrome.tabs.Tab, 'url' | 'discarded' | 'status' | 'frozen'>,
): Obstacle | undefined {
  const [, closed] = CLOSED.find(([pattern]) => pattern.test(tab.url ?? '')) ?? [];
  if (closed) return closed;
  if (tab.url === '') return LOADING;
  if (tab.discarded) return ASLEEP;
  if (tab.status === 'unloaded') return UNLOADED;
  return tab.frozen ? FROZEN : undefined;
}

/** Name what kept an extension out of a tab, from the words of Chrome's refusal. */
export function obstacleFrom(refusal: string, url: string): Obstacle {
  if (/error page/i.test(refusal)) return ERROR_PAGE;
  if (/different extension/i.test(refusal)) return FOREIGN_FRAME;
  return url.startsWith('file:') ? LOCAL_FILE : obstacle('blocked', `Chrome refuses (${refusal})`);
}
