// Takes in what content scripts captured: checks it, says whose it is, holds each tab to its limit; it must not send.

import { captureIn } from '../shared/settings.js';
import { CHUNK_LIMITS, countByType, droppedEvents, isChunk, lossOf, sizeOf } from './chunks.js';

/** @typedef {import('../shared/events.js').Chunk} Chunk */
/** @typedef {import('../shared/events.js').Capture} Capture */
/** @typedef {import('../shared/events.js').PlacedChunk} PlacedChunk */
/** @typedef {{tab: number, frame: number}} Place */

/** How many chunks are remembered, as some come by two ways: a relay's message, and the look into its queue. */
export const REMEMBERED = 2_000;

/**
 * What the intake is given to work with.
 * @typedef {object} Desk
 * @property {() => Promise<import('../shared/settings.js').Values>} settings
 * @property {import('./limits.js').Limits} limits
 * @property {import('./counters.js').Counters} counters
 * @property {import('./outbox.js').Outbox} outbox
 * @property {() => number} now
 */

/** The one way in for captured events. */
export class Intake {
  #desk;
  /** @type {Map<string, Promise<void>>}  the last chunks that came, and when each is safe */
  #taken = new Map();

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
  }

  /**
   * Take chunks in.
   * @param {unknown} chunks  from a content script: not to be trusted
   * @param {Place} place  where Chrome says that they come from
   * @returns {Promise<{capture: Capture}>}  what is to be captured there, once the chunks are stored or safe
   */
  async take(chunks, place) {
    await this.admit(chunks, place, await this.#desk.settings());
    return { capture: captureIn(await this.#desk.settings(), place.tab) };
  }

  /**
   * Put chunks into the outbox, in this turn.
   * @param {unknown} chunks
   * @param {Place} place
   * @param {import('../shared/settings.js').Values} values
   * @returns {Promise<unknown>}  resolved once they are stored or safe
   */
  admit(chunks, place, values) {
    const capture = captureIn(values, place.tab);
    const good = capture.on && Array.isArray(chunks) ? chunks.filter(isChunk) : [];
    return Promise.all(good.map((chunk) => this.#once(wanted(chunk, capture), place)));
  }

  /**
   * @param {Chunk} chunk
   * @param {Place} place
   * @returns {Promise<void>}
   */
  #once(chunk, place) {
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

  /**
   * @param {Chunk} chunk
   * @param {Place} place
   * @returns {Promise<void>}
   */
  #place({ id, load, page, events }, { tab, frame }) {
    const { counters, outbox, now } = this.#desk;
    const passed = this.#passed(events, tab);
    const placed = { id, load, page, events: passed, tab, frame };
    if (sizeOf(placed) > CHUNK_LIMITS.bytes) {
      placed.events = droppedEvents(lossOf(events), 'space', now());
    }
    counters.capture(placed.events);
    return placed.events.length ? outbox.put(placed) : Promise.resolve();
  }

  /**
   * Hold a tab to its limit; what is beyond it is only counted.
   * @param {Chunk['events']} events
   * @param {number} tab
   * @returns {Chunk['events']}
   */
  #passed(events, tab) {
    const granted = this.#desk.limits.take(tab, events.length, this.#desk.now());
    if (granted === events.length) return events;
    const beyond = events.slice(granted);
    const told = beyond.filter(({ type }) => type === 'dropped');
    const lost = countByType(beyond.filter(({ type }) => type !== 'dropped'));
    return [...events.slice(0, granted), ...told, ...droppedEvents(lost, 'rate', this.#desk.now())];
  }
}

/**
 * Leave out what the human has switched off since the page was told what is wanted.
 * @param {Chunk} chunk
 * @param {Capture} capture
 * @returns {Chunk}
 */
function wanted(chunk, { websockets, bodies }) {
  if (websockets && bodies) return chunk;
  const off = ['websocket', 'network_body'].filter((type) => !(type === 'websocket' ? websockets : bodies));
  return { ...chunk, events: chunk.events.filter(({ type }) => !off.includes(type)) };
}
