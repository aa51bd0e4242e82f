// Describes a request as far as it may be captured: address, headers, sizes, bodies; it must consume no body and name no secret header.

import { channel } from './channel.ts';
import { describer } from './describe_value.ts';
import { natives } from './natives.ts';

/** A body, or words for it */
export type Said = { text: string | null; size: number | undefined; cut: boolean };

export type BodyKind = 'text' | 'stream' | 'binary';

/**
 * A request under way.
 * `reading`: its body is being read; what is to be done then is put into `afterwards`.
 */
export type Asked = {
  api: string;
  method: string;
  url: string;
  ts: number;
  headers: any;
  body: Said;
  reading?: boolean;
  afterwards?: (() => void) | undefined;
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
  urlOf: (given: any) => string;
  addHeader: (headers: any, name: any, value: any) => void;
  headersOf: (given: any) => any;
  foreign: (url: string) => boolean;
  bodyOf: (body: any) => Said;
  kindOf: (contentType: string | null) => BodyKind;
  binaryText: (size: number | undefined, contentType: string | null) => string;
  said: (text: string | null, size?: number, cut?: boolean) => Said;
  failed: (error: string) => Head;
  cut: (text: string, limit: number) => Said;
  methodOf: (given: any) => string;
  tell: (asked: Asked, head: Head) => void;
  tellBody: (asked: Asked, head: Head, ended: number, body: Said) => void;
  faultText: (fault: any) => string;
  lengthOf: (text: any) => number | undefined;
  RESPONSE: number;
  inherits: (value: any, prototype: object) => boolean;
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
} = natives;
const { includes, isArray, isFinite, keys, lower, of, slice, startsWith, typed, typedLength } = natives;
const { trunc, upper, urlText, utf8Size, viewLength } = natives;
const { admits, emit, now } = channel;
const { isError, messageOf, nameOf } = describer;

/** Characters of a body (seed 002: 8 KB of a request's, 16 KB of a response's), and of a header; headers. */
const REQUEST = 8 * 1024;
const RESPONSE = 16 * 1024;
const HEADER = 2 * 1024;
const HEADERS = 100;
const ADDRESS = 8 * 1024;

const toNumber = Number;
const fileName = of(File)('name');

const inherits: Http['inherits'] = (value, prototype) => {
  if (typeof value !== 'object' || value === null) return false;
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) if (at === prototype) return true;
  return false;
};

const urlOf: Http['urlOf'] = (given) => {
  if (inherits(given, URL.prototype)) return slice(natives.href(given), 0, ADDRESS);
  if (typeof given === 'object' || typeof given === 'function' || typeof given === 'symbol') return '';
  return slice(absolute(`${given}`), 0, ADDRESS);
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

/** Of `Headers`, pairs, or a record */
const headersOf: Http['headersOf'] = (given) => {
  const headers = { __proto__: null } as any;
  if (inherits(given, Headers.prototype)) {
    eachHeader(given, (value: string, name: string) => addHeader(headers, name, value));
  } else if (isArray(given)) {
    for (let i = 0; i < given.length && i < HEADERS; i++) {
      const pair = own(given, i);
      if (isArray(pair)) addHeader(headers, own(pair, 0), own(pair, 1));
    }
  } else if (typeof given === 'object' && given !== null) {
    const names = keys(given);
    for (let i = 0; i < names.length; i++) addHeader(headers, names[i], own(given, names[i]));
  }
  return headers;
};

const said: Http['said'] = (text, size = undefined, isCut = false) => ({ text, size, cut: isCut });

const failed: Http['failed'] = (error) => ({
  status: 0,
  headers: undefined,
  contentType: null,
  length: undefined,
  error,
});

const cut: Http['cut'] = (text, limit) => {
  return text.length > limit ? said(slice(text, 0, limit), undefined, true) : said(text);
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** The browser spells these in capitals, and no others */
const methodOf: Http['methodOf'] = (given) => {
  if (typeof given !== 'string') return 'GET';
  const capital = upper(given);
  for (let i = 0; i < METHODS.length; i++) if (METHODS[i] === capital) return capital;
  return slice(given, 0, 100);
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

const formText: (form: any) => Said = (form) => {
  let text = '';
  eachField(form, (value: any, name: string) => {
    if (text.length > REQUEST) return;
    const shown = typeof value === 'string' ? value : `[File: ${fileName(value)}, ${blobSize(value)} bytes]`;
    text += `${text && '&'}${name}=${slice(shown, 0, REQUEST)}`;
  });
  return cut(text, REQUEST);
};

/** How a body of the page's is described, by what it inherits. */
const kinds: [object | undefined, (body: any) => Said][] = [
  [URLSearchParams.prototype, (body) => (bodiesWanted() ? textBody(urlText(body)) : said('[Not read]'))],
  [FormData.prototype, (body) => (bodiesWanted() ? formText(body) : said('[Not read]'))],
  [Blob.prototype, (body) => said(binaryText(blobSize(body), blobType(body)), blobSize(body))],
  [ArrayBuffer.prototype, (body) => said(binaryText(bufferLength(body), null), bufferLength(body))],
  [typed, (body) => said(binaryText(typedLength(body), null), typedLength(body))],
  [DataView.prototype, (body) => said(binaryText(viewLength(body), null), viewLength(body))],
  [ReadableStream.prototype, () => said('[Stream]')],
  [Document.prototype, () => said('[Document]')],
];

/** Else nothing is made text of only to know its size */
const bodiesWanted: () => boolean = () => channel.capture.bodies;

const textBody: (text: string) => Said = (text) => {
  const body = bodiesWanted() ? cut(text, REQUEST) : said('[Not read]');
  body.size = utf8Size(text);
  return body;
};

const bodyOf: Http['bodyOf'] = (body) => {
  if (body === undefined || body === null) return said(null);
  if (typeof body === 'string') return textBody(body);
  if (typeof body !== 'object')
    return textBody(typeof body === 'symbol' || typeof body === 'function' ? '' : `${body}`);
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i] as any;
    if (inherits(body, kind[0])) return kind[1](body);
  }
  return said('[Object]');
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

/** An extension's own files are no request of the page's */
const foreign: Http['foreign'] = (url) => startsWith(url, 'chrome-extension:');

const tell: Http['tell'] = (asked, head) => {
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

const tellBody: Http['tellBody'] = (asked, head, ended, body) => {
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
  tell,
  tellBody,
  faultText,
  lengthOf,
  inherits,
  foreign,
  RESPONSE,
  failed,
  said,
};
