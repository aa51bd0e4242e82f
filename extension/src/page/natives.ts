// Saves, before the page's first script, every function of the platform that capture calls later; it must change none.
//
// The rules of this folder, for the page can patch all that it can reach:
// - after the start, nothing is called through a prototype: no method, no iterator (so no spread, no `for of`), no regular
//   expression (they would also overwrite the page's `RegExp.$1`);
// - a literal that reaches the platform or JSON, or is asked for what it may not have, has no prototype; a list that is
//   filled by index is a `list()`;
// - a property of a page's object is read as data, through its descriptor, so that no getter of it runs. A Proxy of the
//   page cannot be distinguished from an object: its traps do run, so every walk has a bound in steps and in time;
// - a global is read at the start alone: the page can put a getter in its place.
// They hold in the built file too: tests/extension/built_page_script.test.js.
//
// What holds before the page's first script does not hold before every script of its origin: Chromium reuses the Window of
// an empty frame or popup for the first document of the same origin, so its opener can have patched it before. Then that
// origin reads and forges what is captured in that frame, as it could in the page itself, and in no other: see
// docs/decisions/0010-the-channel-is-kept-from-other-origins.md.

import type { Channel } from './channel.ts';
import type { Describe } from './describe_value.ts';
import type { Http } from './http.ts';

/** Each is set by a file of its name. */
export type Parts = {
  natives: any;
  channel: Channel;
  describe: Describe;
  http: Http;
  wrap: (owner: any, name: string, trap: (target: any, self: any, args: any[]) => unknown) => void;
  wrapClass: (owner: any, name: string, made: (instance: any) => void) => void;
};

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;

const method =
  (call: any) =>
  (self: any, ...args: unknown[]) =>
    apply(call, self, args);

const getter = (owner: any, name: PropertyKey) =>
  method((getOwnPropertyDescriptor(owner, name) as PropertyDescriptor).get);

const of = (type: any) => (name: PropertyKey) => getter(type.prototype, name);

const { then } = Promise.prototype;
const { prototype: typed } = getPrototypeOf(Uint8Array) as any;
const encode = method(TextEncoder.prototype.encode);
const encodeInto = method(TextEncoder.prototype.encodeInto);
const encoder = new TextEncoder();
const slice = method(String.prototype.slice);
/** Characters of a text that is encoded to know its size. */
const ENCODED = 64 * 1024;
const typedLength = getter(typed, 'byteLength');
const baseURI = of(Node)('baseURI');
const href = of(URL)('href');
const root = document;
const clock = performance;
const sinceStart = method(performance.now);
const Bytes = Uint8Array;
const Address = URL;
const fill = method(crypto.getRandomValues);
const source = crypto;
const hexOf = method(Number.prototype.toString);

/** Return a random UUID: `crypto.randomUUID` exists on secure pages alone. */
const uuid = (): string => {
  const bytes = fill(source, new Bytes(16)) as Uint8Array;
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let text = '';
  for (let i = 0; i < 16; i++) {
    const two = hexOf((bytes[i] as number) + 256, 16) as string;
    text += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + two[1] + two[2];
  }
  return text;
};

const plain: any = { __proto__: null, value: undefined };

/**
 * Follow a promise of the platform that the page does not hold. Without `constructor`, `then` asks the page's own
 * `Promise` nothing.
 */
const follow = (promise: Promise<any>, kept: (value: any) => unknown, broken: (fault: any) => unknown) => {
  defineProperty(promise, 'constructor', plain);
  return apply(then, promise, [kept, broken]);
};

const absolute = (url: string) => {
  try {
    return href(construct(Address, [url, baseURI(root)]));
  } catch {
    return url;
  }
};

/** Prototypes of a value that are looked at: those of the platform are 7 at most, a Proxy can give itself for ever. */
const CHAIN = 50;

/** Whether a prototype is among those of an object. */
const inherits = (value: any, prototype: object): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  let at = value;
  for (let i = 0; i < CHAIN; i++) {
    at = getPrototypeOf(at);
    if (at === prototype) return true;
    if (at === null) return false;
  }
  return false;
};

/** Return an empty array that inherits nothing: no setter of the page's catches what is put in. */
const list = (): any => {
  const items = [] as unknown[];
  setPrototypeOf(items, null);
  return items;
};

export const natives: any = {
  __proto__: null,
  apply,
  construct,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  method,
  getter,
  of,
  follow,
  absolute,
  uuid,
  CHAIN,
  inherits,
  world: globalThis,
  list,
  parse: JSON.parse,
  stringify: JSON.stringify,
  keys: Object.keys,
  ownKeys,
  hasOwn: Object.hasOwn,
  isArray: Array.isArray,
  isError: (Error as any).isError ?? (() => false),
  isFinite: Number.isFinite,
  trunc: Math.trunc,
  asIntN: BigInt.asIntN,
  elapsed: () => sinceStart(clock),
  parseInt,
  parseFloat,
  captureStackTrace: (Error as any).captureStackTrace,
  slice,
  indexOf: method(String.prototype.indexOf),
  lastIndexOf: method(String.prototype.lastIndexOf),
  includes: method(String.prototype.includes),
  startsWith: method(String.prototype.startsWith),
  lower: method(String.prototype.toLowerCase),
  upper: method(String.prototype.toUpperCase),
  trim: method(String.prototype.trim),
  mapGet: method(Map.prototype.get),
  weakGet: method(WeakMap.prototype.get),
  weakSet: method(WeakMap.prototype.set),
  setAdd: method(Set.prototype.add),
  setDelete: method(Set.prototype.delete),
  setEach: method(Set.prototype.forEach),
  addEventListener: EventTarget.prototype.addEventListener,
  typed,
  typedLength,
  bufferLength: of(ArrayBuffer)('byteLength'),
  viewLength: of(DataView)('byteLength'),
  typedBuffer: getter(typed, 'buffer'),
  typedOffset: getter(typed, 'byteOffset'),
  viewBuffer: of(DataView)('buffer'),
  viewOffset: of(DataView)('byteOffset'),
  hexOf,
  blobSize: of(Blob)('size'),
  blobType: of(Blob)('type'),
  href,
  urlText: method(URLSearchParams.prototype.toString),
  eachField: method(FormData.prototype.forEach),
  eachHeader: method(Headers.prototype.forEach),
  /** An argument of the page's call: past the end, an index would ask the page's prototypes. */
  nth: (args: any[], at: number) => (at < args.length ? args[at] : undefined),
  /**
   * Call a function that must not disturb the page's own call, even with odd arguments: a revoked Proxy, an event that
   * only looks like one, a stack that is nearly full.
   */
  quietly: (act: (...args: any[]) => any, ...args: any[]) => {
    try {
      return apply(act, undefined, args);
    } catch {
      return undefined;
    }
  },
  /** The begin of a text that has at most so many bytes in UTF-8, up to the end of a character. */
  head: ((text, bytes) => {
    if (text.length * 3 <= bytes) return text;
    const { read }: any = encodeInto(encoder, slice(text, 0, bytes), construct(Bytes, [bytes]));
    return read < text.length ? slice(text, 0, read) : text;
  }) as (text: string, bytes: number) => string,
  /** Its characters if it is long: to encode 1 MB took 2.3 ms. */
  utf8Size: ((text) => (text.length > ENCODED ? text.length : typedLength(encode(encoder, text)))) as (
    text: string,
  ) => number,
};
