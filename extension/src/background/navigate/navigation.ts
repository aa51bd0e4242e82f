// Sees a tab through to another page, or to what comes instead of one; it must not look into the page.

import { obstacleFrom } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { isAhead, isAttached } from './outcome.ts';

export type Hear = (event: any, listener: (...told: any[]) => void, ...more: unknown[]) => void;

/**
 * `slow`: a page is there, and what it needs is not; `status` 0: unknown; `load_error`: it is not whole; `download`: it has begun one
 */
export type Arrival = { slow: boolean; status: number; load_error?: string; download?: true };

/**
 * `begun`: the tab shows something new; `sure`: that was after a server was asked; `asked`: a server was; `answered`: the addresses of which was heard; `error`: why none comes, or not all of it
 */
export type Seen = {
  begun: boolean;
  sure: boolean;
  asked: boolean;
  status: number;
  answered: Set<string>;
  error?: Failure;
  download?: true;
};

/** The longest wait for a page to load, less than the call's own. */
const LOADED_MS = 20_000;

/** So many documents in one passage are a page that loads itself again and again; logins go by half as many. */
const DOCUMENTS = 10;

/** The longest wait for Chrome to show its page of an error: until then the tab is still at the page before. */
const ERROR_SHOWN_MS = 1000;

/** So soon a page answers of which anything has come. */
const ANSWER_MS = 500;

/** A page is shown before the last of it has come; on a busy machine, so much later. */
const SHOWN_MS = 2000;
const SHOWN_STEP_MS = 250;

/**
 * Set a tab going, and wait until it shows another page, or the same one anew.
 * @throws `navigation_failed`, `certificate_error`, `authentication_required`, `download_started`,
 *   `reload_loop`, `tab_not_found`
 */
export async function passage(tab: Tab, start: () => Promise<unknown>, signal: AbortSignal): Promise<Arrival> {
  const ended = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers() as PromiseWithResolvers<Arrival>;
  const seen: Seen = { begun: false, sure: false, asked: false, status: 0, answered: new Set() };
  const hear: Hear = (event, listener, ...more) => {
    event.addListener(listener, ...more);
    ended.signal.addEventListener('abort', () => event.removeListener(listener));
  };
  const conclude = async () => {
    if (!seen.sure && !isAnother(await openTab(tab.id), tab, seen)) return void (seen.begun = seen.sure); // it was the page before
    if (seen.error && !(await isShown(tab, false))) throw seen.error;
    if (seen.status >= 400 && !(await isShown(tab, true))) throw silent(tab, seen.status);
    resolve(arrivalOf(seen));
  };
  hear(
    chrome.tabs.onUpdated,
    (id: number, { status, url }: { status?: string; url?: string }, now: chrome.tabs.Tab) => {
      if (id !== tab.id) return;
      if ((status === 'loading' || url) && isAnother(now, tab, seen))
        Object.assign(seen, { begun: true, sure: seen.asked });
      if (seen.begun && status === 'complete') conclude().catch(reject);
    },
  );
  hear(chrome.tabs.onRemoved, (id: number) => id === tab.id && reject(gone(tab)));
  watchRequests(tab, hear, seen, reject);
  const late = setTimeout(
    () => (seen.begun ? resolve({ ...arrivalOf(seen), slow: true }) : reject(unloaded(tab, seen))),
    LOADED_MS,
  );
  ended.signal.addEventListener('abort', () => clearTimeout(late));
  signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
  try {
    signal.throwIfAborted();
    start().catch(reject);
    return await promise;
  } finally {
    ended.abort();
  }
}

/**
 * Tell whether what a tab shows is no longer the page that was there: that may write into its own address, until the
 * other comes (single-page apps note where they were scrolled to as they are left).
 */
function isAnother({ url = '', pendingUrl }: chrome.tabs.Tab, before: Tab, { asked, answered }: Seen) {
  if (pendingUrl !== undefined) return false;
  const same =
    URL.canParse(url) &&
    /^http/.test(url) &&
    URL.canParse(before.url ?? '') &&
    new URL(url).origin === new URL(before.url ?? '').origin;
  return !asked || !same || answered.has(bare(url));
}

/** @param url without what a request does not show of it */
function bare(url: string) {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

function arrivalOf({ status, error, download }: Seen): Arrival {
  const load_error = error && String(error.fault.details?.['error']);
  return { slow: false, status, ...(load_error && { load_error }), ...(download && { download }) };
}

/**
 * @param silent what is taken of one that does not answer: it is busy, or has not got its first element
 * @returns it shows what came of a page, not Chrome's own page of an error
 */
function isShown({ id }: Tab, silent: boolean): Promise<boolean> {
  const reached = chrome.scripting.executeScript({ target: { tabId: id }, func: () => 0, injectImmediately: true });
  const late = new Promise((done: (silent: boolean) => void) => setTimeout(done, ANSWER_MS, silent));
  const isOther = ({ message }: Error) => obstacleFrom(message, '').reason !== 'error_page';
  return Promise.race([reached.then(() => true, isOther), late]);
}

/** Watch the requests for documents: they tell what comes instead of one. */
function watchRequests(tab: Tab, hear: Hear, seen: Seen, reject: (fault: Failure) => void) {
  const { onBeforeRequest, onHeadersReceived, onBeforeRedirect, onCompleted, onAuthRequired, onErrorOccurred } =
    chrome.webRequest;
  const filter = { urls: ['<all_urls>'], tabId: tab.id, types: ['main_frame'] };
  const documents = new Set();
  const further = new Set(); // what the page asks for that has come: it stays if that is no page
  const hearShown: Hear = (event, listener, ...more) =>
    hear(event, (details) => isAhead(details) || listener(details), ...more);
  hearShown(
    onBeforeRequest,
    ({ requestId }) => {
      seen.asked = true;
      if (seen.sure) further.add(requestId);
      if (documents.add(requestId).size !== DOCUMENTS + 1) return;
      void chrome.tabs.update(tab.id, { url: 'about:blank' }); // needs no server: it comes before the next
      reject(looping(tab));
    },
    filter,
  );
  hearShown(
    onHeadersReceived,
    ({ requestId, statusCode, url, responseHeaders = [] }) => {
      const none = statusCode === 204 || statusCode === 205;
      const attached = isAttached({ statusCode, responseHeaders });
      if (attached && further.has(requestId)) seen.download = true;
      if ((none || attached) && further.has(requestId)) return;
      seen.status = statusCode;
      seen.answered.add(bare(url));
      if (none) reject(empty(tab, statusCode));
      else if (attached) reject(download(tab, url));
    },
    filter,
    ['responseHeaders'],
  );
  hearShown(
    onBeforeRedirect,
    ({ redirectUrl }) => {
      if (!/^https?:/.test(redirectUrl)) setTimeout(reject, ERROR_SHOWN_MS, handedOn(tab, redirectUrl)); // Chrome says no more of it
    },
    filter,
  );
  hearShown(
    onCompleted,
    ({ url }) => {
      setTimeout(() => unshown(tab, seen).then((never) => never && reject(download(tab, url)), reject), SHOWN_MS);
    },
    filter,
  );
  hearShown(onAuthRequired, () => reject(locked(tab)), filter);
  hearShown(
    onErrorOccurred,
    ({ requestId, error, url }) => {
      if (error === 'net::ERR_ABORTED') return; // another request came in its place
      if (!documents.has(requestId)) return; // Chrome tries the page of an error again by itself: that was under way
      const fault = (seen.error ??= unreached(tab, error));
      seen.answered.add(bare(url));
      setTimeout(() => seen.begun || reject(fault), ERROR_SHOWN_MS); // else it is complete in a moment
    },
    filter,
  );
}

/**
 * Wait until a page that has come whole is shown, or is not going to be: the one that is left may keep it waiting.
 * @returns it is never shown: what came is no page
 */
async function unshown(tab: Tab, seen: Seen): Promise<boolean> {
  const until = performance.now() + LOADED_MS; // then nobody waits any more
  while (!seen.begun && performance.now() < until) {
    if ((await openTab(tab.id)).pendingUrl === undefined) return !seen.begun;
    await new Promise((done) => setTimeout(done, SHOWN_STEP_MS));
  }
  return false;
}

/** @param error net::ERR_… */
function unreached({ id }: Tab, error: string) {
  const details = { tab_id: id, error };
  if (/^net::ERR_(CERT|SSL)_/.test(error)) {
    return new Failure('certificate_error', `Chrome does not trust the server's certificate (${error}).`, {
      details,
      recovery: 'Use http:// if the server has it, or ask the user to accept the certificate in the tab; then refresh.',
    });
  }
  const loop = error === 'net::ERR_TOO_MANY_REDIRECTS' ? ' It redirects in a circle.' : '';
  return new Failure('navigation_failed', `The page could not be loaded: ${error}.${loop}`, {
    details,
    recovery: 'See that the server runs and the address is right.',
  });
}

function handedOn({ id }: Tab, url: string) {
  return new Failure(
    'navigation_failed',
    'The server redirects to an address that is no page: Chrome leaves it to another program, and may ask the user first.',
    {
      details: { tab_id: id, url: url.slice(0, 500) },
    },
  );
}

function unloaded({ id }: Tab, { asked, status }: Seen) {
  if (status) {
    return new Failure(
      'navigation_failed',
      `The server answered, and the page before does not let go: it seems to hang.`,
      {
        details: { tab_id: id },
        recovery: 'Open a tab with interact(action:"new_tab", url), and close this one with close_tab.',
      },
    );
  }
  if (asked) {
    return new Failure('navigation_failed', `Nothing had answered after ${LOADED_MS / 1000} s.`, {
      details: { tab_id: id },
      recovery: 'See that the server answers, then try again.',
    });
  }
  const why = 'it may ask the user whether to leave the page, or to send a form again';
  return new Failure(
    'navigation_failed',
    `Chrome had not begun to load anything after ${LOADED_MS / 1000} s: ${why}.`,
    {
      details: { tab_id: id },
      recovery:
        'Ask the user to look at the tab; another address can be gone to with interact(action:"navigate", url).',
    },
  );
}

function empty({ id }: Tab, status: number) {
  return new Failure(
    'navigation_failed',
    `The server answered ${status}: no page. The tab shows what it showed before.`,
    {
      details: { tab_id: id, status },
    },
  );
}

function silent({ id }: Tab, status: number) {
  return new Failure(
    'navigation_failed',
    `The server answered ${status} with nothing to show: the tab shows Chrome's page of that error.`,
    {
      details: { tab_id: id, status },
      recovery: 'See what its server logs, and that the address is right.',
    },
  );
}

function download({ id }: Tab, url: string) {
  return new Failure(
    'download_started',
    'The address is a download: Chrome saves it, and the tab shows what it showed before.',
    {
      details: { tab_id: id, url: url.slice(0, 500) },
    },
  );
}

function locked({ id }: Tab) {
  return new Failure(
    'authentication_required',
    'The server asks for a user name and a password, in a window of Chrome.',
    {
      details: { tab_id: id },
      recovery: 'Ask the user to log in there, then refresh.',
    },
  );
}

function looping({ id }: Tab) {
  return new Failure(
    'reload_loop',
    `The page loads itself, or others, again and again: after ${DOCUMENTS} the tab was emptied.`,
    {
      details: { tab_id: id, documents: DOCUMENTS },
      recovery: 'Look for what redirects or reloads in its code.',
    },
  );
}

function gone({ id }: Tab) {
  return new Failure('tab_not_found', `The tab ${id} was closed while it was loading.`, { details: { tab_id: id } });
}
