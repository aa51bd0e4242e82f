// Keeps the events of a page until the service worker has them: what is sent, sent again, given up; it must send nothing.

import type { CapturedEvent, Chunk } from '../../shared/events.ts';

/**
 * A queue of a page's events. `admits`: whether there may be one more in this moment, else it is counted. `full`: so
 * much waits for a chunk that it should be cut at once. `begin`: returns the chunks that are not on their way, which
 * they then are, until they are settled or `fail` marks all as not sent.
 */
type Queue = {
  admits: (type: string) => boolean;
  add: (event: CapturedEvent, size: number, page: string) => void;
  cut: () => void;
  begin: () => Chunk[];
  fail: () => void;
  waiting: () => Chunk[];
  settle: (ids: string[]) => void;
  clear: () => void;
  readonly full: boolean;
};

/** Characters of JSON: of a chunk (64 KB), of all that is kept (1 MB). */
const CHUNK = 64 * 1024;
const KEPT = 1024 * 1024;

/** Events a second, and at once, of both worlds of a frame: as many as the worker takes of a whole tab. */
const RATE = 1_000;
const BURST = 2_000;

/** `now` is in ms since the epoch. */
export function makeQueue(
  load: string,
  randomHex: (bytes: number) => string,
  now: () => number,
  kept: number = KEPT,
): Queue {
  let queued: CapturedEvent[] = [];
  let queuedSize = 0;
  let address = '';
  let parcels: { chunk: Chunk; size: number; away: boolean }[] = [];
  let parcelsSize = 0;
  let tokens = BURST;
  let filled = now();
  const lost: Record<'rate' | 'space', Map<string, number>> = { rate: new Map(), space: new Map() };

  const lose = (why: 'rate' | 'space', of: string, count: number) =>
    lost[why].set(of, (lost[why].get(of) ?? 0) + count);

  /** Give up the oldest chunks that are not on their way, until the rest may be kept. */
  const makeRoom = () => {
    while (parcelsSize > kept) {
      const at = parcels.findIndex(({ away }) => !away);
      if (at < 0 || at === parcels.length - 1) return;
      const [parcel] = parcels.splice(at, 1);
      if (!parcel) return;
      parcelsSize -= parcel.size;
      for (const event of parcel.chunk.events) {
        if (event.type === 'dropped') lose(event.why, event.of, event.count);
        else lose('space', event.type, 1);
      }
    }
  };

  const takeLost = (): CapturedEvent[] => {
    const events = (['rate', 'space'] as const).flatMap((why) =>
      [...lost[why]].map(([of, count]) => ({ type: 'dropped' as const, ts: now(), of, count, why })),
    );
    lost.rate.clear();
    lost.space.clear();
    return events;
  };

  return {
    admits: (type) => {
      const at = now();
      tokens = Math.min(BURST, tokens + (Math.max(0, at - filled) * RATE) / 1000);
      filled = at;
      if (tokens < 1) {
        lose('rate', type, 1);
        return false;
      }
      tokens -= 1;
      return true;
    },
    add: (event, size, page) => {
      if (!queued.length) address = page;
      queued.push(event);
      queuedSize += size;
    },
    get full() {
      return queuedSize >= CHUNK;
    },
    cut: () => {
      if (!queued.length && !lost.rate.size) return;
      const chunk = { id: randomHex(16), load, page: address, events: [...takeLost(), ...queued] };
      parcels.push({ chunk, size: queuedSize, away: false });
      parcelsSize += queuedSize;
      queued = [];
      queuedSize = 0;
      makeRoom();
    },
    begin: () => {
      const waiting = parcels.filter(({ away }) => !away);
      for (const parcel of waiting) parcel.away = true;
      return waiting.map(({ chunk }) => chunk);
    },
    fail: () => {
      for (const parcel of parcels) parcel.away = false;
      makeRoom();
    },
    waiting: () => parcels.map(({ chunk }) => chunk),
    settle: (ids) => {
      parcels = parcels.filter(({ chunk }) => !ids.includes(chunk.id));
      parcelsSize = parcels.reduce((sum, { size }) => sum + size, 0);
    },
    clear: () => {
      queued = [];
      queuedSize = 0;
      parcels = [];
      parcelsSize = 0;
      lost.rate.clear();
      lost.space.clear();
    },
  };
}
