// Takes in what content scripts captured: checks it, says whose it is, holds each tab to its limit; it must not send.

import type { Capture, Chunk } from '../../shared/events.ts';
import { captureIn, type Values } from '../../shared/settings.ts';
import type { Place } from '../link/senders.ts';
import { CHUNK_LIMITS, countByType, droppedEvents, isChunk, lossOf, sizeOf } from './chunks.ts';
import type { Counters } from './event_counters.ts';
import type { Limits } from './limits.ts';
import type { Outbox } from './outbox.ts';

/** How many chunks are remembered, as some come by two ways: a relay's message, and the look into its queue. */
export const REMEMBERED = 2_000;

/** What the intake is given to work with. */
export interface Desk {
  settings: () => Promise<Values>;
  limits: Limits;
  counters: Counters;
  outbox: Outbox;
  now: () => number;
}

/** The one way in for captured events. */
export class Intake {
  #desk;
  /** The last chunks that came, and when each is safe */
  #taken: Map<string, Promise<void>> = new Map();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /**
   * Take chunks in.
   * @param chunks from a content script: not to be trusted
   * @param place where Chrome says that they come from
   * @returns what is to be captured there, once the chunks are stored or safe
   */
  async take(chunks: unknown, place: Place): Promise<{ capture: Capture }> {
    await this.admit(chunks, place, await this.#desk.settings());
    return { capture: captureIn(await this.#desk.settings(), place.tab) };
  }

  /**
   * Put chunks into the outbox, in this turn.
   * @returns resolved once they are stored or safe
   */
  admit(chunks: unknown, place: Place, values: Values): Promise<unknown> {
    const capture = captureIn(values, place.tab);
    const good = capture.on && Array.isArray(chunks) ? chunks.filter(isChunk) : [];
    return Promise.all(good.map((chunk) => this.#once(wanted(chunk, capture), place)));
  }

  #once(chunk: Chunk, place: Place): Promise<void> {
    const known = this.#taken.get(chunk.id);
    if (known) return known;
    const safe = this.#place(chunk, place);
    this.#taken.set(chunk.id, safe);
    for (const id of this.#taken.keys()) {
      if (this.#taken.size <= REMEMBERED) break;
      this.#taken.delete(id);
    }
    return safe;
  }

  #place({ id, load, page, events }: Chunk, { tab, frame }: Place): Promise<void> {
    const { counters, outbox, now } = this.#desk;
    const passed = this.#passed(events, tab);
    const placed = { id, load, page, events: passed, tab, frame };
    if (sizeOf(placed) > CHUNK_LIMITS.bytes) {
      placed.events = droppedEvents(lossOf(events), 'space', now());
    }
    counters.capture(placed.events);
    return placed.events.length ? outbox.put(placed) : Promise.resolve();
  }

  /** Hold a tab to its limit; what is beyond it is only counted. */
  #passed(events: Chunk['events'], tab: number): Chunk['events'] {
    const granted = this.#desk.limits.take(tab, events.length, this.#desk.now());
    if (granted === events.length) return events;
    const beyond = events.slice(granted);
    const told = beyond.filter(({ type }) => type === 'dropped');
    const lost = countByType(beyond.filter(({ type }) => type !== 'dropped'));
    return [...events.slice(0, granted), ...told, ...droppedEvents(lost, 'rate', this.#desk.now())];
  }
}

/** Leave out what the human has switched off since the page was told what is wanted. */
function wanted(chunk: Chunk, { websockets, bodies }: Capture): Chunk {
  if (websockets && bodies) return chunk;
  const off = ['websocket', 'network_body'].filter((type) => !(type === 'websocket' ? websockets : bodies));
  return { ...chunk, events: chunk.events.filter(({ type }) => !off.includes(type)) };
}
