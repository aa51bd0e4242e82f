// Remembers the response headers of the documents that tabs show, as the browser received them, without any cookie's value.
//
// The listener is for documents alone: one for every request would wake the worker for each of them. The last documents
// of a tab are kept, so that a page that comes back from the back/forward cache still has its own.

import { isClosed } from '../tabs/excluded_sites.ts';
import { type CookieFlags, flagsOf } from './set_cookies.ts';

export type Header = { called: string; holds: string };

/** `at`: when its headers came, in ms since the epoch. `set`: its cookies, and those of the redirects on its host. */
export type DocumentResponse = { url: string; at: number; headers: Header[]; set: CookieFlags[] };

/** What a document states of its own load: when it was begun and answered, in ms since the epoch. */
export type Load = { url: string; begun: number; answered: number; by_worker: boolean };

type Details = {
  tabId: number;
  requestId: string;
  url: string;
  timeStamp: number;
  statusCode: number;
  responseHeaders?: { name: string; value?: string }[];
};

type Area = Pick<chrome.storage.StorageArea, 'get' | 'set'>;

const KEY = 'documentResponses';

/** The headers that rules judge. */
const KEPT = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'cache-control',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'permissions-policy',
  'referrer-policy',
  'server',
  'strict-transport-security',
  'x-aspnet-version',
  'x-aspnetmvc-version',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
  'x-xss-protection',
]);

const HEADER_CHARACTERS = 4_000;
const COOKIES = 50;
const DOCUMENTS_OF_TAB = 5;
const TABS = 50;
const REDIRECTED = 50;

/**
 * The answer to a load comes after its begin, and webRequest states it 2 ms after the page does (measured). The clocks are
 * not one, and a busy browser is late. A document has no id yet when it is asked for, so that it is not found by that.
 */
const EARLY_MS = 50;
const LATE_MS = 2_000;

const DOCUMENTS = { urls: ['<all_urls>'], types: ['main_frame'] } as chrome.webRequest.RequestFilter;

export class DocumentResponses {
  #area;
  #byTab: Promise<Map<number, DocumentResponse[]>>;
  /** What redirects set, by request. */
  #redirected: Map<string, { host: string; set: CookieFlags[] }> = new Map();

  constructor(area: Area) {
    this.#area = area;
    this.#byTab = area.get(KEY).then(({ [KEY]: kept = [] }) => new Map(kept as [number, DocumentResponse[]][]));
  }

  /** For chrome.webRequest.onHeadersReceived, with `responseHeaders` and `extraHeaders`. */
  received: (details: Details) => void = (details) => {
    const response = responseOf(details, this.#redirected.get(details.requestId));
    if (isRedirect(details)) {
      this.#redirected.set(details.requestId, { host: hostOf(details.url), set: response.set });
      const [oldest] = this.#redirected.keys(); // a redirect that failed is followed by nothing
      if (this.#redirected.size > REDIRECTED && oldest) this.#redirected.delete(oldest);
      return;
    }
    this.#redirected.delete(details.requestId);
    void this.#keep(details.tabId, response);
  };

  forget: (tab: number) => void = (tab) => {
    void this.#change((byTab) => byTab.delete(tab));
  };

  /** The response of the document that has this load; undefined if it was not seen. */
  async find(tab: number, load: Load): Promise<DocumentResponse | undefined> {
    const kept = (await this.#byTab).get(tab) ?? [];
    const isOf = ({ at }: DocumentResponse) => at > load.begun - EARLY_MS && at < load.answered + LATE_MS;
    return kept.find((one) => withoutFragment(one.url) === withoutFragment(load.url) && isOf(one));
  }

  #keep(tab: number, response: DocumentResponse) {
    return this.#change((byTab) => {
      const others = byTab.get(tab) ?? [];
      byTab.delete(tab);
      byTab.set(tab, [...others, response].slice(-DOCUMENTS_OF_TAB));
      const [oldest] = byTab.keys();
      if (byTab.size > TABS && oldest !== undefined) byTab.delete(oldest);
    });
  }

  async #change(change: (byTab: Map<number, DocumentResponse[]>) => void) {
    const byTab = await this.#byTab;
    change(byTab);
    await this.#area.set({ [KEY]: [...byTab] }).catch(() => {}); // full: then a worker that starts again has none
  }
}

export const documentResponses = new DocumentResponses(chrome.storage.session);

/** Watch the documents of all tabs; Chrome gives Set-Cookie only with `extraHeaders`. */
export function watchDocuments() {
  const { onHeadersReceived } = chrome.webRequest;
  const received = async (details: Details) => {
    if (!(await isClosed(details.url))) documentResponses.received(details);
  };
  onHeadersReceived.addListener(received as never, DOCUMENTS, ['responseHeaders', 'extraHeaders']);
}

function responseOf(details: Details, before: { host: string; set: CookieFlags[] } | undefined): DocumentResponse {
  const { url, timeStamp, responseHeaders = [] } = details;
  const named = responseHeaders.map(({ name, value = '' }) => ({ called: name.toLowerCase(), holds: value }));
  const path = new URL(url).pathname;
  const cookies = named
    .filter(({ called }) => called === 'set-cookie')
    .flatMap(({ holds }) => holds.split('\n'))
    .flatMap((header) => flagsOf(header, path, timeStamp) ?? []);
  const earlier = before?.host === hostOf(url) ? before.set : [];
  return {
    url,
    at: timeStamp,
    headers: named.filter(({ called }) => KEPT.has(called)).map(cut),
    set: [...earlier, ...cookies].slice(-COOKIES),
  };
}

/** Nonces are left out: nothing is judged by them. */
function cut({ called, holds }: Header): Header {
  const text = holds.replace(/'nonce-[^']*'/gi, "'nonce-'");
  return { called, holds: text.slice(0, HEADER_CHARACTERS).toWellFormed() };
}

function isRedirect({ statusCode, responseHeaders = [] }: Details) {
  return statusCode >= 300 && statusCode < 400 && responseHeaders.some(({ name }) => name.toLowerCase() === 'location');
}

function hostOf(url: string) {
  return new URL(url).host;
}

function withoutFragment(url: string) {
  return url.split('#')[0];
}
