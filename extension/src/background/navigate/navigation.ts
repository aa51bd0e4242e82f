// Makes a tab navigate and waits for the other page, or for the failure that comes in its place.

import { obstacleFrom } from '../../shared/obstacles.ts';
import type { Failure } from '../failure.ts';
import { addressOf } from '../tabs/excluded_sites.ts';
import { wasReplaced } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import {
  closedWhileLoading,
  downloadStarted,
  emptyError,
  hung,
  leftToOtherProgram,
  loginNeeded,
  noContent,
  notLoaded,
  reloadLoop,
  unreachable,
} from './navigation_failures.ts';
import { isAhead, isAttachment } from './outcome.ts';

/**
 * `slow`: the page is there, but not complete, or still drawing. `status`: 0 if it is unknown. `load_error`: a part of it did not come.
 * `download`: it has begun one.
 */
export type Arrival = { slow: boolean; status: number; load_error?: string; download?: true };

/** The longest wait for a page to load; shorter than the call's own deadline. */
export const LOADED_MS = 20_000;

/** More documents in one navigation are a page that loads itself again and again; logins take half as many. */
const DOCUMENTS = 10;

/** The longest wait for Chrome to show its error page, or what has come of a page: until then the tab shows the page before. */
const ERROR_SHOWN_MS = 3000;

/** No page is shown for an address of another program, and no event follows it. */
const PROGRAM_MS = 1000;

/**
 * A page that does not hang answers within this time, and one of which only a part has come, on a busy machine; one that was
 * replaced as it was asked is asked again.
 */
const ANSWER_MS = 500;
const PART_ANSWER_MS = 3000;
const REPLACED_STEP_MS = 50;

/** Chrome asks for the next page within this time; else it waits for what the page before answers to that (beforeunload). */
const ASKED_MS = 1500;

/** A page that has not answered lets go of its tab within this time after the server's answer, unless it hangs. */
const LEFT_MS = 1000;

/** A page is shown before the last of it has come; on a busy machine, so much later. */
const SHOWN_MS = 2000;
const SHOWN_STEP_MS = 250;

/**
 * Start a navigation, and wait until the tab shows another page, or the same one again. `start` is given what states whether
 * it has begun. `isSilent`: the page before does not answer, and it is not waited for as one that only takes long to be left.
 */
export function navigateAndWait(
  tab: Tab,
  start: (hasBegun: () => boolean) => Promise<unknown>,
  signal: AbortSignal,
  isSilent: boolean = false,
): Promise<Arrival> {
  return new Navigation(tab, isSilent).run(start, signal);
}

/** One navigation. `#begun`: the tab shows something new; `#sure`: after a request for a document. */
class Navigation {
  #tab;
  #isSilent;
  #ended = new AbortController();
  #arrival = Promise.withResolvers<Arrival>();
  #begun = false;
  #sure = false;
  /** A document was requested. */
  #asked = false;
  #status = 0;
  /** The addresses that were answered. */
  #answered: Set<string> = new Set();
  #error: Failure | undefined;
  #download = false;
  #isHoldWatched = false;
  /** The ids of the requests for documents. */
  #documents: Set<string> = new Set();
  /** Those that the page which has come made: it stays if they bring no page. */
  #further: Set<string> = new Set();

  constructor(tab: Tab, isSilent: boolean) {
    this.#tab = tab;
    this.#isSilent = isSilent;
  }

  async run(start: (hasBegun: () => boolean) => Promise<unknown>, signal: AbortSignal): Promise<Arrival> {
    const { promise, reject } = this.#arrival;
    const id = this.#tab.id;
    this.#listen(chrome.tabs.onUpdated, (...event: [any, any, any]) => this.#updated(...event));
    this.#listen(chrome.tabs.onRemoved, (removed: number) => removed === id && reject(closedWhileLoading(this.#tab)));
    this.#watchRequests();
    const late = setTimeout(() => this.#late(), LOADED_MS);
    this.#ended.signal.addEventListener('abort', () => clearTimeout(late));
    signal.addEventListener('abort', () => reject(signal.reason), { signal: this.#ended.signal });
    try {
      signal.throwIfAborted();
      start(() => this.#asked || this.#begun).catch(reject);
      if (this.#isSilent) setTimeout(() => this.#asked || this.#rejectIfHeld(), ASKED_MS);
      return await promise;
    } finally {
      this.#ended.abort();
    }
  }

  #listen(event: any, listener: (...args: any[]) => void, ...more: unknown[]) {
    event.addListener(listener, ...more);
    this.#ended.signal.addEventListener('abort', () => event.removeListener(listener));
  }

  #updated(id: number, { status, url }: { status?: string; url?: string }, now: chrome.tabs.Tab) {
    if (id !== this.#tab.id) return;
    if ((status === 'loading' || url) && this.#isOther(now)) {
      this.#begun = true;
      this.#sure = this.#asked;
    }
    if (this.#begun && status === 'complete') this.#complete().catch(this.#arrival.reject);
  }

  async #complete() {
    if (!this.#sure && !this.#isOther(await openTab(this.#tab.id))) {
      this.#begun = this.#sure; // the page before was complete
      return;
    }
    if (this.#error && !(await showsPage(this.#tab, false))) throw this.#error;
    if (this.#status >= 400 && !(await showsPage(this.#tab, true))) throw emptyError(this.#tab, this.#status);
    this.#arrival.resolve(this.#arrived(false));
  }

  #late() {
    if (this.#begun) this.#arrival.resolve(this.#arrived(true));
    else if (this.#status) this.#arrival.reject(hung(this.#tab));
    else this.#arrival.reject(notLoaded(this.#tab, { asked: this.#asked, ms: LOADED_MS }));
  }

  #arrived(slow: boolean): Arrival {
    const load_error = this.#error && String(this.#error.fault.details?.['error']);
    return {
      slow,
      status: this.#status,
      ...(load_error && { load_error }),
      ...(this.#download && { download: true }),
    };
  }

  /**
   * Whether a tab no longer shows the page before. That one may change its own address until the other page comes:
   * single-page apps note their scroll position as they are left.
   */
  #isOther({ url = '', pendingUrl }: chrome.tabs.Tab) {
    if (pendingUrl !== undefined) return false;
    return !this.#asked || !isSameOrigin(url, this.#tab.url ?? '') || this.#answered.has(requestedPart(url));
  }

  #watchRequests() {
    const { onBeforeRequest, onHeadersReceived, onBeforeRedirect, onCompleted, onAuthRequired, onErrorOccurred } =
      chrome.webRequest;
    const filter = { urls: ['<all_urls>'], tabId: this.#tab.id, types: ['main_frame'] };
    const on = (event: any, listener: (details: any) => void, ...more: unknown[]) =>
      this.#listen(event, (details) => isAhead(details) || listener(details), filter, ...more);
    on(onBeforeRequest, (details) => this.#requested(details));
    on(onHeadersReceived, (details) => this.#responded(details), ['responseHeaders']);
    on(onBeforeRedirect, (details) => this.#redirected(details));
    on(onCompleted, (details) => this.#loaded(details));
    on(onAuthRequired, () => this.#arrival.reject(loginNeeded(this.#tab)));
    on(onErrorOccurred, (details) => this.#failed(details));
  }

  #requested({ requestId }: { requestId: string }) {
    this.#asked = true;
    if (this.#sure) this.#further.add(requestId);
    if (this.#documents.add(requestId).size !== DOCUMENTS + 1) return;
    void chrome.tabs.update(this.#tab.id, { url: 'about:blank' }); // needs no server: it comes before the next document
    this.#arrival.reject(reloadLoop(this.#tab, DOCUMENTS));
  }

  #responded({ requestId, statusCode, url, responseHeaders = [] }: any) {
    const isEmpty = statusCode === 204 || statusCode === 205;
    const isDownload = isAttachment({ statusCode, responseHeaders });
    const isFurther = this.#further.has(requestId);
    if (isDownload && isFurther) this.#download = true;
    if ((isEmpty || isDownload) && isFurther) return;
    this.#status = statusCode;
    this.#answered.add(requestedPart(url));
    if (isEmpty) this.#arrival.reject(noContent(this.#tab, statusCode));
    else if (isDownload) this.#arrival.reject(downloadStarted(this.#tab, addressOf(url)));
    else if (this.#isSilent) setTimeout(() => this.#rejectIfHeld(), LEFT_MS);
  }

  /** Give up where the page before still has the tab, and answers nothing; one that answers may hang later. */
  async #rejectIfHeld() {
    if (this.#isHoldWatched) return;
    this.#isHoldWatched = true;
    while (!this.#begun && !this.#ended.signal.aborted) {
      if (!(await answers(this.#tab)) && !this.#begun) this.#arrival.reject(hung(this.#tab));
      await new Promise((done) => setTimeout(done, LEFT_MS));
    }
  }

  #redirected({ redirectUrl }: { redirectUrl: string }) {
    if (/^https?:/.test(redirectUrl)) return;
    setTimeout(this.#arrival.reject, PROGRAM_MS, leftToOtherProgram(this.#tab, redirectUrl));
  }

  #loaded({ url }: { url: string }) {
    const { reject } = this.#arrival;
    setTimeout(() => {
      this.#isNeverShown().then((isNever) => isNever && reject(downloadStarted(this.#tab, addressOf(url))), reject);
    }, SHOWN_MS);
  }

  #failed({ requestId, error, url }: { requestId: string; error: string; url: string }) {
    if (error === 'net::ERR_ABORTED') return; // another request came in its place
    if (!this.#documents.has(requestId)) return; // Chrome's own retry for the error page that was there before
    const fault = (this.#error ??= unreachable(this.#tab, error));
    this.#answered.add(requestedPart(url));
    setTimeout(() => this.#begun || this.#arrival.reject(fault), ERROR_SHOWN_MS); // else it is complete in a moment
  }

  /** Wait until a whole document is shown, which the page before may delay; true for one that is no page. */
  async #isNeverShown(): Promise<boolean> {
    const until = performance.now() + LOADED_MS; // the end of the navigation
    while (!this.#begun && performance.now() < until) {
      if ((await openTab(this.#tab.id)).pendingUrl === undefined) return !this.#begun;
      await new Promise((done) => setTimeout(done, SHOWN_STEP_MS));
    }
    return false;
  }
}

function isSameOrigin(one: string, other: string) {
  if (!URL.canParse(one) || !/^http/.test(one) || !URL.canParse(other)) return false;
  return new URL(one).origin === new URL(other).origin;
}

/** An address without the parts that are not in a request. */
function requestedPart(url: string) {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

function answers({ id }: Tab): Promise<boolean> {
  const asked = chrome.scripting.executeScript({ target: { tabId: id }, func: () => 0, injectImmediately: true });
  const late = new Promise<boolean>((done) => setTimeout(done, ANSWER_MS, false));
  const answered = () => true; // also with an error: only a page that hangs answers nothing
  return Promise.race([asked.then(answered, answered), late]);
}

/** Whether a tab shows a page, and not Chrome's error page. `assumed`: for one that is too busy, or too new, to answer. */
async function showsPage({ id }: Tab, assumed: boolean): Promise<boolean> {
  const boundMs = assumed ? ANSWER_MS : PART_ANSWER_MS;
  const until = performance.now() + boundMs;
  while (performance.now() < until) {
    const reached = chrome.scripting.executeScript({ target: { tabId: id }, func: () => 0, injectImmediately: true });
    const late = new Promise((done: (assumed: boolean) => void) => setTimeout(done, boundMs, assumed));
    const failed = (fault: Error) => (wasReplaced(fault) ? undefined : !isOfErrorPage(fault)); // then the other is asked
    const answer = await Promise.race([reached.then(() => true, failed), late]);
    if (answer !== undefined) return answer;
    await new Promise((done) => setTimeout(done, REPLACED_STEP_MS));
  }
  return assumed;
}

function isOfErrorPage({ message }: Error): boolean {
  return obstacleFrom(message, '').reason === 'error_page';
}
