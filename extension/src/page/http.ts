// Describes a request as far as it may be captured: address, headers, sizes, bodies; it must consume no body and name no secret header.

import { channel } from './channel.ts';
import { describer } from './describe_value.ts';
import { natives } from './natives.ts';

/** A body, or words for it. */
export type BodyText = { text: string | null; size: number | undefined; cut: boolean };

type BodyKind = 'text' | 'stream' | 'binary';

/**
 * A request under way.
 * `reading`: its body is being read; what is to be done then is put into `afterwards`. `ended`: its end was reported.
 */
export type Asked = {
  api: string;
  method: string;
  url: string;
  ts: number;
  headers: any;
  body: BodyText;
  reading?: boolean;
  afterwards?: (() => void) | undefined;
  ended?: boolean;
};

/** The head of an answer. */
export type Head = {
  status: number;
  headers: any;
  contentType: string | null;
  length: number | undefined;
  error: string | undefined;
};

export type Http = {
  urlOf: (input: any) => string;
  addHeader: (headers: any, name: any, value: any) => void;
  headersOf: (input: any) => any;
  foreign: (url: string) => boolean;
  bodyOf: (body: any) => BodyText;
  kindOf: (contentType: string | null) => BodyKind;
  binaryText: (size: number | undefined, contentType: string | null) => string;
  bodyText: (text: string | null, size?: number, cut?: boolean) => BodyText;
  failed: (error: string) => Head;
  cut: (text: string, limit: number) => BodyText;
  methodOf: (input: any) => string;
  after: (ms: number, act: () => void) => void;
  begun: (asked: Asked) => void;
  report: (asked: Asked, head: Head) => void;
  reportBody: (asked: Asked, head: Head, ended: number, body: BodyText) => void;
  faultText: (fault: any) => string;
  lengthOf: (text: any) => number | undefined;
  RESPONSE: number;
};

const {
  absolute,
  blobSize,
  blobType,
  bufferLength,
  eachField,
  eachHeader,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  inherits,
  CHAIN,
} = natives;
const { head, includes, isArray, isFinite, keys, lower, of, slice, startsWith, typed, typedLength } = natives;
const { method, setAdd, setDelete, setEach, trunc, quietly, upper, urlText, utf8Size, viewLength } = natives;
const { admits, emit, listen, now } = channel;
const { isError, messageOf, nameOf } = describer;

/** Bytes of a body (seed 002: 8 KB of a request's, 16 KB of a response's); characters of a header; headers. */
const REQUEST = 8 * 1024;
const RESPONSE = 16 * 1024;
const HEADER = 2 * 1024;
const HEADERS = 100;
const ADDRESS = 8 * 1024;

/** Milliseconds after which a request is reported as open: most have their answer by then. */
const OPEN_MS = 250;

const toNumber = Number;
const { prototype: ofAddress } = URL;
const { prototype: ofHeaders } = Headers;
const fileName = of(File)('name');
const timeout = method(AbortSignal.timeout);
const Signal = AbortSignal;
const isKept = of(PageTransitionEvent)('persisted');

/** The requests that were reported as open. */
const open = new Set();

const urlOf: Http['urlOf'] = (input) => {
  if (inherits(input, ofAddress)) return slice(natives.href(input), 0, ADDRESS);
  if (typeof input === 'object' || typeof input === 'function' || typeof input === 'symbol') return '';
  return slice(absolute(`${input}`), 0, ADDRESS);
};

const SENSITIVE = ['authorization', 'cookie', 'token', 'secret', 'key', 'password'];

const sensitive: (name: string) => boolean = (name) => {
  for (let i = 0; i < SENSITIVE.length; i++) if (includes(name, SENSITIVE[i])) return true;
  return false;
};

const addHeader: Http['addHeader'] = (headers, name, value) => {
  if (typeof name !== 'string' || typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
    return;
  const known = lower(name);
  if (sensitive(known) || keys(headers).length >= HEADERS) return;
  const text = slice(`${value}`, 0, HEADER);
  headers[known] = known in headers ? `${headers[known]}, ${text}` : text;
};

const own: (object: any, name: PropertyKey) => any = (object, name) => {
  const found = getOwnPropertyDescriptor(object, name);
  return found && hasOwn(found, 'value') ? found.value : undefined;
};

/** Of `Headers`, pairs, or a record. */
const headersOf: Http['headersOf'] = (input) => {
  const headers = { __proto__: null } as any;
  if (inherits(input, ofHeaders)) {
    eachHeader(input, (value: string, name: string) => addHeader(headers, name, value));
  } else if (isArray(input)) {
    const length = own(input, 'length');
    for (let i = 0; i < length && i < HEADERS; i++) {
      const pair = own(input, i);
      if (isArray(pair)) addHeader(headers, own(pair, 0), own(pair, 1));
    }
  } else if (typeof input === 'object' && input !== null) {
    const names = keys(input);
    for (let i = 0; i < names.length && i < HEADERS; i++) addHeader(headers, names[i], own(input, names[i]));
  }
  return headers;
};

const bodyText: Http['bodyText'] = (text, size = undefined, isCut = false) => ({ text, size, cut: isCut });

const failed: Http['failed'] = (error) => ({
  status: 0,
  headers: undefined,
  contentType: null,
  length: undefined,
  error,
});

const cut: Http['cut'] = (text, limit) => {
  const kept = head(text, limit);
  return bodyText(kept, undefined, kept.length < text.length);
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** The browser spells these in capitals, and no others. */
const methodOf: Http['methodOf'] = (input) => {
  if (typeof input !== 'string') return 'GET';
  const capital = upper(input);
  for (let i = 0; i < METHODS.length; i++) if (METHODS[i] === capital) return capital;
  return slice(input, 0, 100);
};

const kindOf: Http['kindOf'] = (contentType) => {
  if (!contentType) return 'text';
  const type = lower(contentType);
  const has = (part: string) => includes(type, part);
  if (has('event-stream') || has('ndjson') || has('json-seq') || has('jsonl') || has('stream+json')) return 'stream';
  if (
    startsWith(type, 'image/') ||
    startsWith(type, 'video/') ||
    startsWith(type, 'audio/') ||
    startsWith(type, 'font/')
  )
    return 'binary';
  if (
    startsWith(type, 'text/') ||
    has('json') ||
    has('xml') ||
    has('javascript') ||
    has('urlencoded') ||
    has('graphql')
  )
    return 'text';
  return 'binary';
};

const binaryText: Http['binaryText'] = (size, contentType) => {
  const type = contentType ? `, type: ${slice(contentType, 0, 200)}` : '';
  return `[Binary: ${size ?? 'unknown'} bytes${type}]`;
};

const formText: (form: any) => BodyText = (form) => {
  let text = '';
  eachField(form, (value: any, name: string) => {
    if (text.length > REQUEST) return;
    const shown = typeof value === 'string' ? value : `[File: ${fileName(value)}, ${blobSize(value)} bytes]`;
    text += `${text && '&'}${name}=${slice(shown, 0, REQUEST)}`;
  });
  return cut(text, REQUEST);
};

/** How a body of the page's is described, by what it inherits. */
const kinds: [object | undefined, (body: any) => BodyText][] = [
  [URLSearchParams.prototype, (body) => (bodiesWanted() ? textBody(urlText(body)) : bodyText('[Not read]'))],
  [FormData.prototype, (body) => (bodiesWanted() ? formText(body) : bodyText('[Not read]'))],
  [Blob.prototype, (body) => bodyText(binaryText(blobSize(body), blobType(body)), blobSize(body))],
  [ArrayBuffer.prototype, (body) => bodyText(binaryText(bufferLength(body), null), bufferLength(body))],
  [typed, (body) => bodyText(binaryText(typedLength(body), null), typedLength(body))],
  [DataView.prototype, (body) => bodyText(binaryText(viewLength(body), null), viewLength(body))],
  [ReadableStream.prototype, () => bodyText('[Stream]')],
  [Document.prototype, () => bodyText('[Document]')],
];

/** Else nothing is made text of only to know its size. */
const bodiesWanted: () => boolean = () => channel.capture.bodies;

const textBody: (text: string) => BodyText = (text) => {
  const body = bodiesWanted() ? cut(text, REQUEST) : bodyText('[Not read]');
  body.size = utf8Size(text);
  return body;
};

const bodyOf: Http['bodyOf'] = (body) => {
  if (body === undefined || body === null) return bodyText(null);
  if (typeof body === 'string') return textBody(body);
  if (typeof body !== 'object')
    return textBody(typeof body === 'symbol' || typeof body === 'function' ? '' : `${body}`);
  let at = body;
  for (let step = 0; at !== null && step < CHAIN; step++) {
    at = getPrototypeOf(at);
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[i] as any;
      if (at === kind[0]) return kind[1](body);
    }
  }
  return bodyText('[Object]');
};

const lengthOf: Http['lengthOf'] = (text) => {
  if (typeof text !== 'string') return undefined;
  const size = toNumber(text);
  return isFinite(size) && size >= 0 ? size : undefined;
};

const rounded: (ms: number) => number = (ms) => trunc(ms * 1000) / 1000;

const addHeaders: (event: any, asked: Asked, head: Head) => void = (event, asked, head) => {
  if (keys(asked.headers).length > 0) event.requestHeaders = asked.headers;
  if (head.headers && keys(head.headers).length > 0) event.responseHeaders = head.headers;
};

/** An extension's own files are no request of the page's. */
const foreign: Http['foreign'] = (url) => startsWith(url, 'chrome-extension:');

/** By a signal: the page can neither count nor clear such a timer. */
const after: Http['after'] = (ms, act) => listen(timeout(Signal, ms), 'abort', act);

const begun: Http['begun'] = (asked) => {
  if (foreign(asked.url)) return;
  if (channel.capture.on) emit({ __proto__: null }, 'a');
  after(OPEN_MS, () => {
    if (asked.ended || !asked.url || !admits('request')) return;
    setAdd(open, asked);
    const { ts, api, method: sentBy, url } = asked;
    emit({ __proto__: null, type: 'request', ts, api, method: sentBy, url } as any);
  });
};

/** No page that is left learns how its requests end; one that is kept may come back. */
listen(globalThis, 'pagehide', (event) => {
  if (isKept(event)) return;
  setEach(open, (asked: Asked) => quietly(report, asked, failed('The page was left before it ended')));
});

const report: Http['report'] = (asked, head) => {
  asked.ended = true;
  setDelete(open, asked);
  if (foreign(asked.url) || !admits('network')) return;
  const event = {
    __proto__: null,
    type: 'network',
    ts: asked.ts,
    api: asked.api,
    method: asked.method,
    url: asked.url,
    status: head.status,
    duration: rounded(now() - asked.ts),
  } as any;
  if (asked.body.size !== undefined) event.requestSize = asked.body.size;
  if (head.length !== undefined) event.responseSize = head.length;
  if (head.contentType) event.contentType = head.contentType;
  if (head.error) event.error = head.error;
  addHeaders(event, asked, head);
  emit(event);
};

const reportBody: Http['reportBody'] = (asked, head, ended, body) => {
  if (foreign(asked.url) || !channel.capture.bodies || !admits('network_body')) return;
  const event = {
    __proto__: null,
    type: 'network_body',
    ts: asked.ts,
    api: asked.api,
    method: asked.method,
    url: asked.url,
    status: head.status,
    duration: rounded(ended - asked.ts),
    requestBody: asked.body.text,
    responseBody: body.text,
    contentType: head.contentType,
  } as any;
  if (asked.body.cut || body.cut) event.truncated = true;
  addHeaders(event, asked, head);
  emit(event);
};

const faultText: Http['faultText'] = (fault) => {
  if (!isError(fault)) return 'Failed';
  return slice(`${nameOf(fault)}: ${messageOf(fault)}`, 0, HEADER);
};

export const http: Http = {
  urlOf,
  addHeader,
  headersOf,
  bodyOf,
  kindOf,
  binaryText,
  cut,
  methodOf,
  after,
  begun,
  report,
  reportBody,
  faultText,
  lengthOf,
  foreign,
  RESPONSE,
  failed,
  bodyText,
};
