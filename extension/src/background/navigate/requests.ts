// Records the requests of a tab during an action and its effect.
//
// The listeners exist only for that time, and a little longer: a permanent one would wake the worker for every request of
// the browser.

import type { PageRequest } from '../../shared/counted_faults.ts';
import { addressOf, isClosedNow } from '../tabs/excluded_sites.ts';
import { takeEvents } from './kept_events.ts';
import { ABORTED, isAhead, isAttachment } from './outcome.ts';

export type Exchange = {
  /** Chrome's, one for all redirects of a request; empty for one that only the page knows of. */
  id: string;
  url: string;
  method: string;
  type: string;
  /** The frame that made it; of a document, the one that it is for. */
  frame: number;
  start: number;
  end: number | null;
  status: number;
  bytes: number | null;
  error: string;
  attachment?: true;
};

/** The most requests of one action. */
const KEPT = 200;

/** The longest part of an address that is compared: a page reports no more. */
const COMPARED_CHARACTERS = 2_000;

/** As a page's scripts get it that a request has failed; with any other error they have aborted it themselves. */
const FAILED = /^((TypeError|TimeoutError)\b|Failed$|Timed out$)/;

/** The most that the page's clock and this worker's differ. */
const CLOCKS_MS = 100;

/** No event comes so late. */
const LATE_MS = 5_000;

/** The end of a look into the cache, which Chrome takes before it requests a font. */
const NOT_CACHED = 'net::ERR_CACHE_MISS';

/** Connections that stay open by design: a page can be idle while it has them. */
const ENDLESS = ['websocket', 'ping'];

export class TabRequests {
  #open: Map<string, Exchange> = new Map();
  exchanges: Exchange[] = [];
  begun = performance.now();
  #last = performance.now();
  #answered = new Map<number, number>();
  #since = Date.now();
  #stops: (() => void)[];

  constructor(tabId: number) {
    const { onBeforeRequest, onHeadersReceived, onCompleted, onErrorOccurred } = chrome.webRequest;
    const filter = { urls: ['<all_urls>'], tabId };
    this.#stops = [
      takeEvents(onBeforeRequest, this.#begun, filter),
      takeEvents(onHeadersReceived, this.#headed, filter, ['responseHeaders']),
      takeEvents(onCompleted, this.#finished, filter),
      takeEvents(onErrorOccurred, this.#finished, filter),
    ];
  }

  /** 0 while a request is running, else ms since the last one ended. */
  get quietMs(): number {
    return this.#open.size ? 0 : performance.now() - this.#last;
  }

  /** The number of requests of a frame's scripts that have ended: how many answers its page has got, or will soon. */
  answeredIn(frame: number): number {
    return this.#answered.get(frame) ?? 0;
  }

  /** The number of requests of the page itself that are running. */
  get running(): number {
    return [...this.#open.values()].filter(({ frame, type }) => frame === 0 && type !== 'main_frame').length;
  }

  /**
   * Add what the page's scripts requested and Chrome reports to no extension: what a service worker of the page took, or
   * a policy of the page refused.
   */
  complete(asked: PageRequest[] = []) {
    const known = this.exchanges.map(keyOf);
    const since = Date.now() - (performance.now() - this.begun) - CLOCKS_MS;
    for (const request of asked) {
      const at = known.indexOf(keyOf(request));
      if (at >= 0) known.splice(at, 1);
      else if (this.exchanges.length < KEPT && request.ts >= since) this.exchanges.push(exchangeOf(request));
    }
    this.exchanges.sort((one, other) => one.start - other.start);
  }

  end() {
    for (const stop of this.#stops) stop();
  }

  #begun = ({ requestId, url, method, type, frameId: frame, timeStamp, initiator = '', ...more }: any) => {
    const isDocument = type === 'main_frame' || type === 'sub_frame';
    if (wasBefore(timeStamp, this.#since)) return; // this worker was busy
    if (!isDocument && isClosedNow(initiator)) return; // a page of an excluded site makes it
    if (ENDLESS.includes(type) || this.exchanges.length >= KEPT || this.#open.has(requestId)) return;
    const kind = type === 'main_frame' && isAhead(more) ? 'other' : type;
    const early = this.exchanges.findIndex((one) => !one.id && keyOf(one) === keyOf({ url, method }));
    if (early >= 0) this.exchanges.splice(early, 1); // the page's word of it came first: this worker was busy
    const exchange = {
      id: requestId,
      url: isDocument ? addressOf(url) : url,
      method,
      type: kind,
      frame,
      start: Math.max(this.begun, momentOf(timeStamp)),
      end: null,
      status: 0,
      bytes: null,
      error: '',
    };
    this.#open.set(requestId, exchange);
    this.exchanges.push(exchange);
  };

  #headed = ({ requestId, statusCode, responseHeaders = [] }: any) => {
    const exchange = this.#open.get(requestId);
    if (!exchange) return;
    const valueOf = (wanted: string) =>
      responseHeaders.find(({ name = '' }) => name.toLowerCase() === wanted)?.value ?? '';
    const length = valueOf('content-length');
    Object.assign(exchange, {
      status: statusCode,
      ...(/^\d+$/.test(length) && { bytes: Number(length) }),
      ...(isAttachment({ statusCode, responseHeaders }) && { attachment: true }),
    });
    if (valueOf('content-type').startsWith('text/event-stream')) this.#finished({ requestId }); // it never ends
  };

  #finished = ({ requestId, statusCode, error = '', timeStamp }: any) => {
    const exchange = this.#open.get(requestId);
    if (!exchange) return;
    this.#open.delete(requestId);
    if (error === NOT_CACHED && exchange.type !== 'main_frame') {
      this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
      return;
    }
    this.#last = performance.now();
    const isOfScript = exchange.type === 'xmlhttprequest' && exchange.method !== 'OPTIONS';
    if (isOfScript && timeStamp) this.#answered.set(exchange.frame, this.answeredIn(exchange.frame) + 1);
    Object.assign(exchange, {
      end: Math.max(exchange.start, momentOf(timeStamp)),
      error,
      ...(statusCode && { status: statusCode }),
    });
  };
}

/** What is the same for the page and for Chrome; a policy of the page may have its requests made by `https`. */
function keyOf({ url, method }: Pick<Exchange, 'url' | 'method'>) {
  return `${method} ${url.slice(0, COMPARED_CHARACTERS).replace(/^https?:|#.*/g, '')}`;
}

function exchangeOf({ url, method, ts, duration, status, size, error = '' }: PageRequest): Exchange {
  const start = momentOf(ts);
  return {
    id: '',
    url,
    method,
    type: 'xmlhttprequest',
    frame: 0,
    start,
    end: start + duration,
    status,
    bytes: size ?? null,
    error: error && !FAILED.test(error) ? ABORTED : error,
  };
}

/** Whether an event is of a time before `since`, both in ms since the epoch; unless the clock was changed meanwhile. */
function wasBefore(timeStamp: number = Date.now(), since: number): boolean {
  return timeStamp < since && since - timeStamp < LATE_MS;
}

/** Convert an event's own time, in ms since the epoch, to this worker's clock: a busy worker gets events late. */
function momentOf(timeStamp: number = Date.now()) {
  const late = Date.now() - timeStamp;
  return performance.now() - (late > 0 && late < LATE_MS ? late : 0); // else the clock was changed meanwhile
}
