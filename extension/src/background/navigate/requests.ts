// Knows which requests of a tab are under way while an action is watched; it must not read what they carry.
//
// The listeners are there only as long as an action and its effect: one that stood here always would wake the worker for every request
// of the browser.

import { isAhead, isAttached } from './outcome.ts';

export type Exchange = {
  url: string;
  method: string;
  type: string;
  start: number;
  end: number | null;
  status: number;
  bytes: number | null;
  error: string;
  attached?: true;
};

/** The most requests that are kept of one action. */
const KEPT = 200;

/** No event is heard so late. */
const LATE_MS = 5_000;

/** Connections that stay open by design: they say nothing about whether the page has come to rest. */
const ENDLESS = ['websocket', 'ping'];

/** The requests of one tab, from now on. */
export class Network {
  #open: Map<string, Exchange> = new Map();
  exchanges: Exchange[] = [];
  begun = performance.now();
  #last = performance.now();
  #ended = new AbortController();

  constructor(tabId: number) {
    const { onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred } = chrome.webRequest;
    const filter = { urls: ['<all_urls>'], tabId };
    this.#listen(onBeforeRequest, this.#begun, filter);
    this.#listen(onHeadersReceived, this.#answered, filter, ['responseHeaders']);
    this.#listen(onCompleted, this.#finished, filter);
    this.#listen(onErrorOccurred, this.#finished, filter);
  }

  /** Returns 0 while a request is under way, else ms since the last one ended */
  get quietMs(): number {
    return this.#open.size ? 0 : performance.now() - this.#last;
  }

  /** Listen no longer. */
  end() {
    this.#ended.abort();
  }

  #listen(event: any, hear: (details: any) => void, filter: object, more?: string[]) {
    event.addListener(hear, filter, ...(more ? [more] : []));
    this.#ended.signal.addEventListener('abort', () => event.removeListener(hear));
  }

  #begun = ({ requestId, url, method, type, timeStamp, ...more }: any) => {
    if (ENDLESS.includes(type) || this.exchanges.length >= KEPT || this.#open.has(requestId)) return;
    const kind = type === 'main_frame' && isAhead(more) ? 'other' : type;
    const exchange = {
      url,
      method,
      type: kind,
      start: Math.max(this.begun, momentOf(timeStamp)),
      end: null,
      status: 0,
      bytes: null,
      error: '',
    };
    this.#open.set(requestId, exchange);
    this.exchanges.push(exchange);
  };

  #answered = ({ requestId, statusCode, responseHeaders = [] }: any) => {
    const exchange = this.#open.get(requestId);
    if (!exchange) return;
    const valueOf = (wanted: string) =>
      responseHeaders.find(({ name = '' }) => name.toLowerCase() === wanted)?.value ?? '';
    const length = valueOf('content-length');
    Object.assign(exchange, {
      status: statusCode,
      ...(/^\d+$/.test(length) && { bytes: Number(length) }),
      ...(isAttached({ statusCode, responseHeaders }) && { attached: true }),
    });
    if (valueOf('content-type').startsWith('text/event-stream')) this.#finished({ requestId }); // it never ends
  };

  #finished = ({ requestId, statusCode, error = '', timeStamp }: any) => {
    const exchange = this.#open.get(requestId);
    if (!exchange) return;
    this.#open.delete(requestId);
    this.#last = performance.now();
    Object.assign(exchange, {
      end: Math.max(exchange.start, momentOf(timeStamp)),
      error,
      ...(statusCode && { status: statusCode }),
    });
  };
}

/**
 * Give an event's own time by this worker's clock: a busy worker hears of it late, and a request is as long as it was.
 * @param timeStamp ms since the epoch; absent: now
 */
function momentOf(timeStamp: number = Date.now()) {
  const late = Date.now() - timeStamp;
  return performance.now() - (late > 0 && late < LATE_MS ? late : 0); // else the clock was set meanwhile
}
