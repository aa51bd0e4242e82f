// Keeps captured chunks, in order, until the bridge has stored them.
//
// A chunk is sent as soon as there are enough of them or `waitMs` have passed, and again after each new connection. One
// that the bridge does not confirm within `confirmMs` is written to the backlog too, which the next worker reads.

import type { PlacedChunk } from '../../shared/events.ts';
import { events } from '../link/messages.ts';
import { droppedEvents, lossOf, ownChunk, sizeOf } from './chunks.ts';

export const OUTBOX_LIMITS = {
  waitMs: 50,
  messageBytes: 64 * 1024,
  confirmMs: 500,
  bytes: 4 * 1024 * 1024,
  backlogBytes: 1.5 * 1024 * 1024,
};

export interface Dependencies {
  /** False while there is no connection. */
  send: (text: string) => boolean;
  backlog: Backlog;
  /** Counts events for which there was no room. */
  dropped: (counts: Map<string, number>) => void;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
  now: () => number;
}

/** Storage that outlives the worker; both methods reject if it refuses. */
export interface Backlog {
  keep: (chunks: PlacedChunk[]) => Promise<void>;
  remove: (ids: string[]) => Promise<void>;
}

interface Entry {
  chunk: PlacedChunk;
  bytes: number;
  arrivedAt: number;
  /** On this connection. */
  sent: boolean;
  /** In the backlog, or being written to it. */
  kept: boolean;
  /** Resolved once it is stored by the bridge, kept, or dropped. */
  safe: Promise<void>;
  resolve: () => void;
}

export class Outbox {
  /** Oldest first. */
  #entries: Map<string, Entry> = new Map();
  #bytes = 0;
  #unsentBytes = 0;
  #backlogBytes = 0;
  /** The events that were dropped, by type, and not yet reported. */
  #lost: Map<string, number> = new Map();
  #connected = true;
  #flushTimer: any;
  #keepTimer: any;
  #dependencies;

  /** `kept`: the chunks in the backlog, oldest first. */
  constructor(dependencies: Dependencies, kept: PlacedChunk[] = []) {
    this.#dependencies = dependencies;
    for (const chunk of kept) this.#add(chunk, true).resolve();
  }

  /** Add a chunk, once; resolved when it is stored or in the backlog: one that was only sent may die with the worker. */
  put(chunk: PlacedChunk): Promise<void> {
    const known = this.#entries.get(chunk.id);
    if (known) return known.safe;
    const { safe } = this.#add(chunk, false);
    this.#makeRoom();
    if (this.#unsentBytes >= OUTBOX_LIMITS.messageBytes && this.#connected) this.flush();
    else this.#flushTimer ??= this.#dependencies.clock.setTimeout(() => this.flush(), OUTBOX_LIMITS.waitMs);
    return safe;
  }

  /** Send every chunk that was not sent on this connection; without one, write them to the backlog. */
  flush() {
    this.#dependencies.clock.clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const unsent = [...this.#entries.values()].filter(({ sent }) => !sent);
    for (const batch of batches(unsent)) {
      this.#connected = this.#dependencies.send(JSON.stringify(events(batch.map(({ chunk }) => chunk))));
      if (!this.#connected) return void this.#keep(unsent.filter(({ sent }) => !sent));
      batch.forEach((entry) => this.#mark(entry));
    }
    if (this.#lost.size) this.#reportLoss();
    this.#keepLater();
  }

  /** Send every chunk again; after each new connection. */
  resend() {
    for (const entry of this.#entries.values()) entry.sent = false;
    this.#unsentBytes = this.#bytes;
    this.flush();
  }

  /** Drop the chunks that the bridge has stored. */
  stored(ids: string[]) {
    this.#remove(ids.map((id) => this.#entries.get(id)).filter((entry) => entry !== undefined));
  }

  /** Drop chunks that may no longer be sent; they are not counted as lost. */
  drop(isUnwanted: (chunk: PlacedChunk) => boolean) {
    this.#remove([...this.#entries.values()].filter(({ chunk }) => isUnwanted(chunk)));
  }

  #add(chunk: PlacedChunk, kept: boolean): Entry {
    const { promise: safe, resolve } = withResolvers();
    const arrivedAt = this.#dependencies.now();
    const entry = { chunk, bytes: sizeOf(chunk), arrivedAt, sent: false, kept, safe, resolve };
    this.#entries.set(chunk.id, entry);
    this.#bytes += entry.bytes;
    this.#unsentBytes += entry.bytes;
    if (kept) this.#backlogBytes += entry.bytes;
    return entry;
  }

  #mark(entry: Entry) {
    entry.sent = true;
    this.#unsentBytes -= entry.bytes;
  }

  #remove(entries: Entry[]) {
    for (const { chunk, bytes, sent, kept, resolve } of entries) {
      this.#entries.delete(chunk.id);
      this.#bytes -= bytes;
      if (!sent) this.#unsentBytes -= bytes;
      if (kept) this.#backlogBytes -= bytes;
      resolve();
    }
    const ids = entries.filter(({ kept }) => kept).map(({ chunk }) => chunk.id);
    if (ids.length) this.#dependencies.backlog.remove(ids).catch(warn);
  }

  /** Drop the oldest chunks until the rest fits. */
  #makeRoom() {
    const victims = [];
    let excess = this.#bytes - OUTBOX_LIMITS.bytes;
    for (const entry of this.#entries.values()) {
      if (excess <= 0) break;
      excess -= entry.bytes;
      victims.push(entry);
    }
    for (const { chunk } of victims) this.#lose(chunk);
    if (victims.length) this.#remove(victims);
  }

  #lose({ events: lost }: PlacedChunk) {
    const counts = lossOf(lost);
    for (const [type, count] of counts) this.#lost.set(type, (this.#lost.get(type) ?? 0) + count);
    this.#dependencies.dropped(counts);
  }

  #reportLoss() {
    this.#add(ownChunk(droppedEvents(this.#lost, 'space', this.#dependencies.now())), false);
    this.#lost.clear();
    this.flush();
  }

  /** Write unconfirmed chunks to the backlog after a while. */
  #keepLater() {
    if (this.#keepTimer !== undefined || !this.#entries.size) return;
    this.#keepTimer = this.#dependencies.clock.setTimeout(() => this.#keepUnconfirmed(), OUTBOX_LIMITS.confirmMs);
  }

  #keepUnconfirmed() {
    this.#keepTimer = undefined;
    const unkept = [...this.#entries.values()].filter(({ kept }) => !kept);
    const latest = this.#dependencies.now() - OUTBOX_LIMITS.confirmMs;
    this.#keep(unkept.filter(({ arrivedAt }) => arrivedAt <= latest));
    if (unkept.some(({ arrivedAt }) => arrivedAt > latest)) this.#keepLater();
  }

  /** Note that a chunk could not be written to the backlog. */
  #unkeep(entry: Entry) {
    if (!this.#entries.has(entry.chunk.id)) return;
    entry.kept = false;
    this.#backlogBytes -= entry.bytes;
  }

  /** Write chunks to the backlog while there is room; the oldest first, so that the backlog has no gap. */
  async #keep(entries: Entry[]) {
    const fitting = [];
    for (const entry of entries) {
      if (entry.kept) continue;
      if (this.#backlogBytes + entry.bytes > OUTBOX_LIMITS.backlogBytes) break;
      this.#backlogBytes += entry.bytes;
      entry.kept = true;
      fitting.push(entry);
    }
    if (!fitting.length) return;
    try {
      await this.#dependencies.backlog.keep(fitting.map(({ chunk }) => chunk));
      for (const { resolve } of fitting) resolve();
    } catch (fault) {
      warn(fault);
      for (const entry of fitting) this.#unkeep(entry);
      this.#keepLater();
    }
  }
}

/** Divide chunks into messages. */
function batches(entries: Entry[]): Entry[][] {
  const all: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    if (entry.bytes > room) {
      all.push([]);
      room = OUTBOX_LIMITS.messageBytes;
    }
    all.at(-1)?.push(entry);
    room -= entry.bytes;
  }
  return all;
}

/** As `Promise.withResolvers`, which the Node that runs the tests may not have. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

function warn(fault: unknown) {
  console.warn('Captured events could not be stored.', fault);
}
