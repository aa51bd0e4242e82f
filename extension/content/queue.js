// Keeps the events of a page until the service worker has them: what is sent, sent again, given up; it must send nothing.

'use strict';

/** @typedef {import('../shared/events.js').CapturedEvent} CapturedEvent */
/** @typedef {import('../shared/events.js').Chunk} Chunk */

/**
 * A queue of a page's events. `full`: so much is waiting for a chunk that it should be cut at once.
 * @typedef {{add: (event: CapturedEvent, size: number, page: string) => void, cut: () => Chunk | undefined,
 *   waiting: () => Chunk[], settle: (ids: string[]) => void, clear: () => void, readonly full: boolean,
 *   readonly empty: boolean}} Queue
 */

/** Characters of JSON: of a chunk (64 KB), of all that has no reply (1 MB), of one string of a page (64 KB). */
var CHUNK = 64 * 1024;
var KEPT = 1024 * 1024;
var STRING = 64 * 1024;

/** What MAIN may tell; the other types come from this world. */
var TOLD = ['console', 'error', 'websocket', 'network', 'network_body', 'dropped'];

/**
 * @param {string} load
 * @param {(bytes: number) => string} randomHex
 * @param {() => number} now  in ms since the epoch
 * @param {number} [kept]
 * @returns {Queue}
 */
function makeQueue(load, randomHex, now, kept = KEPT) {
  /** @type {{event: CapturedEvent, size: number, page: string}[]} */
  let queued = [];
  let queuedSize = 0;
  /** @type {{chunk: Chunk, size: number}[]} */
  let chunks = [];
  /** @type {Map<string, number>} */
  const lost = new Map();

  const size = (/** @type {{size: number}[]} */ parts) => parts.reduce((sum, part) => sum + part.size, 0);

  const forget = () => {
    queued = [];
    queuedSize = 0;
  };

  const dropOldest = () => {
    while (chunks.length > 1 && size(chunks) > kept) {
      const { chunk } = /** @type {{chunk: Chunk}} */ (chunks.shift());
      for (const event of chunk.events) countLost(event);
    }
  };

  /** @param {CapturedEvent} event */
  const countLost = (event) => {
    const [of, count] = event.type === 'dropped' ? [event.of, event.count] : [event.type, 1];
    lost.set(of, (lost.get(of) ?? 0) + count);
  };

  /** @returns {CapturedEvent[]} */
  const takeLost = () => {
    const told = [...lost].map(([of, count]) => ({ type: 'dropped', ts: now(), of, count, why: 'space' }));
    lost.clear();
    return /** @type {CapturedEvent[]} */ (told);
  };

  return {
    add: (event, length, page) => {
      queued.push({ event, size: length, page });
      queuedSize += length;
    },
    get full() {
      return queuedSize >= CHUNK;
    },
    get empty() {
      return queued.length === 0;
    },
    cut: () => {
      const [first] = queued;
      if (!first) return undefined;
      const events = [...takeLost(), ...queued.map(({ event }) => event)];
      const chunk = { id: randomHex(16), load, page: first.page, events };
      chunks.push({ chunk, size: queuedSize });
      forget();
      dropOldest();
      return chunk;
    },
    waiting: () => chunks.map(({ chunk }) => chunk),
    settle: (ids) => {
      chunks = chunks.filter(({ chunk }) => !ids.includes(chunk.id));
    },
    clear: () => {
      forget();
      chunks = [];
      lost.clear();
    },
  };
}

/**
 * Read what the page's world says.
 * @param {unknown} text
 * @returns {CapturedEvent | undefined}  undefined if it is no event
 */
function readEvent(text) {
  if (typeof text !== 'string') return undefined;
  try {
    const event = JSON.parse(text);
    if (!TOLD.includes(event?.type)) return undefined;
    return text.length > STRING || text.includes('\\ud') ? bounded(event) : event;
  } catch {
    return undefined;
  }
}

/**
 * Cut every string, and make it well-formed Unicode: a lone half of a surrogate pair is an error to most who read JSON.
 * @param {any} value
 * @returns {any}
 */
function bounded(value) {
  if (typeof value === 'string') return value.slice(0, STRING).toWellFormed();
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [bounded(name), bounded(part)]));
}

/**
 * @param {unknown} said
 * @returns {said is import('../shared/events.js').Capture}
 */
function isCapture(said) {
  const names = ['on', 'websockets', 'bodies'];
  return typeof said === 'object' && said !== null && names.every((name) => typeof Reflect.get(said, name) === 'boolean');
}
