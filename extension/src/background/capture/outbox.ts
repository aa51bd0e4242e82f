// Keeps captured chunks, in order, until the bridge has stored them; it must not know how they travel or where they lie.
//
// Each chunk is sent as soon as there are enough, or after a moment, and again after each new connection. What the
// bridge does not confirm soon is laid down in a backlog too, from which the next life of the worker takes it.

import type { PlacedChunk } from '../../shared/events.ts';
import { events } from '../link/messages.ts';
import { droppedEvents, lossOf, ownChunk, sizeOf } from './chunks.ts';

/** When chunks are sent and kept, and how many. */
export const OUTBOX_LIMITS = {
  waitMs: 50,
  messageBytes: 64 * 1024,
  patienceMs: 500,
  bytes: 4 * 1024 * 1024,
  backlogBytes: 1.5 * 1024 * 1024,
};

/** What the outbox is given to work with. */
export interface Post {
  /** False while there is no connection */
  send: (text: string) => boolean;
  backlog: Backlog;
  /** Events for which there was no room */
  dropped: (counts: Map<string, number>) => void;
  clock: { setTimeout: (call: () => void, ms: number) => any; clearTimeout: (timer: any) => void };
  now: () => number;
}

/** Where chunks outlive the worker; both reject if the storage refuses. */
export interface Backlog {
  keep: (chunks: PlacedChunk[]) => Promise<void>;
  remove: (ids: string[]) => Promise<void>;
}

export interface Parcel {
  chunk: PlacedChunk;
  bytes: number;
  /** When it came */
  at: number;
  /** On this connection */
  sent: boolean;
  /** In the backlog, or on the way to it */
  kept: boolean;
  placed: Promise<void>;
  /** Says that it is stored, or safe, or that nothing more can be done for it */
  settle: () => void;
}

/** The outbox of one worker. */
export class Outbox {
  /** Oldest first */
  #parcels: Map<string, Parcel> = new Map();
  #bytes = 0;
  #unsentBytes = 0;
  #backlogBytes = 0;
  /** What was dropped and is not yet told */
  #lost: Map<string, number> = new Map();
  #away = false;
  #due: any;
  #doubt: any;
  #post;

  /** @param chunks what lies in the backlog, oldest first */
  constructor(post: Post, chunks: PlacedChunk[] = []) {
    this.#post = post;
    for (const chunk of chunks) this.#add(chunk, true).settle();
  }

  /**
   * Take a chunk in; one that is here already is not taken twice.
   * @returns resolved once it is stored or lies in the backlog: what was only sent may die with the worker
   */
  put(chunk: PlacedChunk): Promise<void> {
    const known = this.#parcels.get(chunk.id);
    if (known) return known.placed;
    const { placed } = this.#add(chunk, false);
    this.#makeRoom();
    if (this.#unsentBytes >= OUTBOX_LIMITS.messageBytes && !this.#away) this.flush();
    else this.#due ??= this.#post.clock.setTimeout(() => this.flush(), OUTBOX_LIMITS.waitMs);
    return placed;
  }

  /** Send now what was not sent on this connection; without one, lay it down. */
  flush() {
    this.#post.clock.clearTimeout(this.#due);
    this.#due = undefined;
    const unsent = [...this.#parcels.values()].filter(({ sent }) => !sent);
    for (const batch of batches(unsent)) {
      this.#away = !this.#post.send(JSON.stringify(events(batch.map(({ chunk }) => chunk))));
      if (this.#away) return void this.#keep(unsent.filter(({ sent }) => !sent));
      batch.forEach((parcel) => this.#mark(parcel));
    }
    if (this.#lost.size) this.#tellLoss();
    this.#watch();
  }

  /** Send everything again; after every connection. */
  resend() {
    for (const parcel of this.#parcels.values()) parcel.sent = false;
    this.#unsentBytes = this.#bytes;
    this.flush();
  }

  /** Let go of what the bridge has stored. */
  stored(ids: string[]) {
    const here = ids.map((id) => this.#parcels.get(id)).filter((parcel) => parcel !== undefined);
    this.#remove(here);
  }

  #add(chunk: PlacedChunk, kept: boolean): Parcel {
    const { promise: placed, resolve: settle } = promised();
    const parcel = { chunk, bytes: sizeOf(chunk), at: this.#post.now(), sent: false, kept, placed, settle };
    this.#parcels.set(chunk.id, parcel);
    this.#bytes += parcel.bytes;
    this.#unsentBytes += parcel.bytes;
    if (kept) this.#backlogBytes += parcel.bytes;
    return parcel;
  }

  #mark(parcel: Parcel) {
    parcel.sent = true;
    this.#unsentBytes -= parcel.bytes;
  }

  #remove(parcels: Parcel[]) {
    for (const { chunk, bytes, sent, kept, settle } of parcels) {
      this.#parcels.delete(chunk.id);
      this.#bytes -= bytes;
      if (!sent) this.#unsentBytes -= bytes;
      if (kept) this.#backlogBytes -= bytes;
      settle();
    }
    const ids = parcels.filter(({ kept }) => kept).map(({ chunk }) => chunk.id);
    if (ids.length) this.#post.backlog.remove(ids).catch(complain);
  }

  /** Drop the oldest chunks until the rest fits. */
  #makeRoom() {
    const victims = [];
    let excess = this.#bytes - OUTBOX_LIMITS.bytes;
    for (const parcel of this.#parcels.values()) {
      if (excess <= 0) break;
      excess -= parcel.bytes;
      victims.push(parcel);
    }
    for (const { chunk } of victims) this.#lose(chunk);
    if (victims.length) this.#remove(victims);
  }

  #lose({ events: lost }: PlacedChunk) {
    const counts = lossOf(lost);
    for (const [type, count] of counts) this.#lost.set(type, (this.#lost.get(type) ?? 0) + count);
    this.#post.dropped(counts);
  }

  /** Tell what was dropped, now that there is a connection. */
  #tellLoss() {
    this.#add(ownChunk(droppedEvents(this.#lost, 'space', this.#post.now())), false);
    this.#lost.clear();
    this.flush();
  }

  /** See to it that what stays unconfirmed is laid down. */
  #watch() {
    if (this.#doubt !== undefined || !this.#parcels.size) return;
    this.#doubt = this.#post.clock.setTimeout(() => this.#doubtful(), OUTBOX_LIMITS.patienceMs);
  }

  #doubtful() {
    this.#doubt = undefined;
    const unkept = [...this.#parcels.values()].filter(({ kept }) => !kept);
    const patient = this.#post.now() - OUTBOX_LIMITS.patienceMs;
    this.#keep(unkept.filter(({ at }) => at <= patient));
    if (unkept.some(({ at }) => at > patient)) this.#watch();
  }

  /** Have a chunk that could not be laid down tried again. */
  #unkeep(parcel: Parcel) {
    if (!this.#parcels.has(parcel.chunk.id)) return;
    parcel.kept = false;
    this.#backlogBytes -= parcel.bytes;
  }

  /** Lay chunks down, as many as there is room for; the oldest first, so that what is kept has no gap. */
  async #keep(parcels: Parcel[]) {
    const fitting = [];
    for (const parcel of parcels) {
      if (parcel.kept) continue;
      if (this.#backlogBytes + parcel.bytes > OUTBOX_LIMITS.backlogBytes) break;
      this.#backlogBytes += parcel.bytes;
      parcel.kept = true;
      fitting.push(parcel);
    }
    if (!fitting.length) return;
    try {
      await this.#post.backlog.keep(fitting.map(({ chunk }) => chunk));
      for (const { settle } of fitting) settle();
    } catch (fault) {
      complain(fault);
      for (const parcel of fitting) this.#unkeep(parcel);
      this.#watch();
    }
  }
}

/** Divide parcels into messages. */
function batches(parcels: Parcel[]): Parcel[][] {
  const all: Parcel[][] = [];
  let room = 0;
  for (const parcel of parcels) {
    if (parcel.bytes > room) {
      all.push([]);
      room = OUTBOX_LIMITS.messageBytes;
    }
    all.at(-1)?.push(parcel);
    room -= parcel.bytes;
  }
  return all;
}

function promised(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

function complain(fault: unknown) {
  console.warn('Captured events could not be stored.', fault);
}
