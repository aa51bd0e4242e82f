// Validates chunks of events, makes the worker's own ones and counts the events in them.

import {
  type CapturedEvent,
  type Chunk,
  type DroppedEvent,
  isPageKind,
  type PlacedChunk,
} from '../../shared/events.ts';
import { utf8Bytes } from '../../shared/utf8.ts';

/** A relay sends 64 KB, and at most one event beyond that. */
export const CHUNK_LIMITS = { events: 5_000, bytes: 1024 * 1024, pageCharacters: 64 * 1024 };

/** Whether a content script's message holds a chunk. Its events are checked one by one, by `isEvent`. */
export function isChunk(value: any): value is Chunk {
  const { id, load, page, events } = value ?? {};
  if (!isHex(id, 32) || !isHex(load, 8) || !isPage(page) || !Array.isArray(events)) return false;
  return events.length > 0 && events.length <= CHUNK_LIMITS.events;
}

/** Whether a content script may have sent this event. */
export function isEvent(value: any): value is CapturedEvent {
  return typeof value === 'object' && value !== null && isPageKind(value.type) && Number.isFinite(value.ts);
}

/** Make a chunk of the worker's own events, which belong to no tab. */
export function ownChunk(events: CapturedEvent[]): PlacedChunk {
  return { id: newId(), tab: 0, frame: 0, load: '00000000', page: '', events };
}

/** Make 32 random hex digits. */
export function newId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

export function countByType(events: CapturedEvent[]): Map<string, number> {
  const counts: Map<string, number> = new Map();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Count what is lost with these events: themselves, and the earlier losses that those among them report. */
export function lossOf(events: CapturedEvent[]): Map<string, number> {
  const lost = countByType(events);
  lost.delete('dropped');
  for (const event of events) {
    if (event.type === 'dropped') lost.set(event.of, (lost.get(event.of) ?? 0) + event.count);
  }
  return lost;
}

/** Report a loss, by one event for each type. */
export function droppedEvents(counts: Map<string, number>, why: DroppedEvent['why'], ts: number): DroppedEvent[] {
  return [...counts].map(([of, count]) => ({ ts, type: 'dropped', of, count, why }));
}

/** Measure a value as JSON, in bytes of UTF-8. */
export function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}

function isHex(value: unknown, digits: number) {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value);
}

function isPage(value: unknown) {
  return typeof value === 'string' && value.length <= CHUNK_LIMITS.pageCharacters;
}
