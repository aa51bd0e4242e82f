// Tells what is a chunk, makes the worker's own ones and counts what is in them; it must not keep or send any.

import type { CapturedEvent, Chunk, DroppedEvent, PlacedChunk } from '../../shared/events.ts';

/** The limits of a chunk. A relay sends 64 KB, and one event beyond that at most. */
export const CHUNK_LIMITS = { events: 5_000, bytes: 1024 * 1024, pageCharacters: 64 * 1024 };

const TYPES = [
  'console',
  'error',
  'websocket',
  'network',
  'network_body',
  'resource',
  'vital',
  'timing',
  'performance',
  'action',
  'navigation',
  'dropped',
  'state',
];

/** Tell whether a message of a content script holds a chunk here. */
export function isChunk(value: any): value is Chunk {
  const { id, load, page, events } = value ?? {};
  if (!isHex(id, 32) || !isHex(load, 8) || !isPage(page) || !Array.isArray(events)) return false;
  return events.length > 0 && events.length <= CHUNK_LIMITS.events && events.every(isEvent);
}

/** Make a chunk of the worker's own events, which belong to no tab. */
export function ownChunk(events: CapturedEvent[]): PlacedChunk {
  return { id: newId(), tab: 0, frame: 0, load: '00000000', page: '', events };
}

/** Returns 32 random hex digits */
export function newId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** Count events by type. */
export function countByType(events: CapturedEvent[]): Map<string, number> {
  const counts: Map<string, number> = new Map();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * Count what is lost with these events: themselves, and what those among them tell of others that were lost before.
 */
export function lossOf(events: CapturedEvent[]): Map<string, number> {
  const lost = countByType(events);
  lost.delete('dropped');
  for (const event of events) {
    if (event.type === 'dropped') lost.set(event.of, (lost.get(event.of) ?? 0) + event.count);
  }
  return lost;
}

/** Tell of what was dropped, an event for each type. */
export function droppedEvents(counts: Map<string, number>, why: DroppedEvent['why'], ts: number): DroppedEvent[] {
  return [...counts].map(([of, count]) => ({ ts, type: 'dropped', of, count, why }));
}

/** Returns bytes in UTF-8, as JSON */
export function sizeOf(value: unknown): number {
  return new Blob([JSON.stringify(value)]).size;
}

function isHex(value: unknown, digits: number) {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);
}

function isPage(value: unknown) {
  return typeof value === 'string' && value.length <= CHUNK_LIMITS.pageCharacters;
}

function isEvent(value: any) {
  return typeof value === 'object' && value !== null && TYPES.includes(value.type) && Number.isFinite(value.ts);
}
