// Tells what is a chunk, makes the worker's own ones and counts what is in them; it must not keep or send any.

/** @typedef {import('../shared/events.js').Chunk} Chunk */
/** @typedef {import('../shared/events.js').PlacedChunk} PlacedChunk */
/** @typedef {import('../shared/events.js').CapturedEvent} CapturedEvent */
/** @typedef {import('../shared/events.js').DroppedEvent} DroppedEvent */

/** The limits of a chunk. A relay sends 64 KB, and one event beyond that at most. */
export const CHUNK_LIMITS = { events: 5_000, bytes: 1024 * 1024, pageCharacters: 64 * 1024 };

const TYPES = [
  'console', 'error', 'websocket', 'network', 'network_body', 'resource', 'vital', 'timing', 'performance', 'action',
  'navigation', 'dropped', 'state',
];

/**
 * Tell whether a message of a content script holds a chunk here.
 * @param {any} value
 * @returns {value is Chunk}
 */
export function isChunk(value) {
  const { id, load, page, events } = value ?? {};
  if (!isHex(id, 32) || !isHex(load, 8) || !isPage(page) || !Array.isArray(events)) return false;
  return events.length > 0 && events.length <= CHUNK_LIMITS.events && events.every(isEvent);
}

/**
 * Make a chunk of the worker's own events, which belong to no tab.
 * @param {CapturedEvent[]} events
 * @returns {PlacedChunk}
 */
export function ownChunk(events) {
  return { id: newId(), tab: 0, frame: 0, load: '00000000', page: '', events };
}

/** @returns {string}  32 random hex digits */
export function newId() {
  return crypto.randomUUID().replaceAll('-', '');
}

/**
 * Count events by type.
 * @param {CapturedEvent[]} events
 * @returns {Map<string, number>}
 */
export function countByType(events) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Count what is lost with these events: themselves, and what those among them tell of others that were lost before.
 * @param {CapturedEvent[]} events
 * @returns {Map<string, number>}
 */
export function lossOf(events) {
  const lost = countByType(events);
  lost.delete('dropped');
  for (const event of events) {
    if (event.type === 'dropped') lost.set(event.of, (lost.get(event.of) ?? 0) + event.count);
  }
  return lost;
}

/**
 * Tell of what was dropped, an event for each type.
 * @param {Map<string, number>} counts
 * @param {DroppedEvent['why']} why
 * @param {number} ts
 * @returns {DroppedEvent[]}
 */
export function droppedEvents(counts, why, ts) {
  return [...counts].map(([of, count]) => ({ ts, type: 'dropped', of, count, why }));
}

/**
 * @param {unknown} value
 * @returns {number}  bytes in UTF-8, as JSON
 */
export function sizeOf(value) {
  return new Blob([JSON.stringify(value)]).size;
}

/**
 * @param {unknown} value
 * @param {number} digits
 */
function isHex(value, digits) {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);
}

/** @param {unknown} value */
function isPage(value) {
  return typeof value === 'string' && value.length <= CHUNK_LIMITS.pageCharacters;
}

/** @param {any} value */
function isEvent(value) {
  return typeof value === 'object' && value !== null && TYPES.includes(value.type) && Number.isFinite(value.ts);
}
