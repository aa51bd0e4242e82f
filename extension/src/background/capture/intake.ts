// Takes captured events in from content scripts: validates them, adds their tab and frame, limits each tab's rate.

import type { Capture, CapturedEvent, Chunk } from '../../shared/events.ts';
import { captureIn, type Values } from '../../shared/settings.ts';
import { isExcluded } from '../../shared/sites.ts';
import type { Place } from '../link/senders.ts';
import { CHUNK_LIMITS, countByType, droppedEvents, isChunk, isEvent, lossOf, sizeOf } from './chunks.ts';
import type { EventCounters } from './event_counters.ts';
import type { RateLimits } from './limits.ts';
import type { Outbox } from './outbox.ts';

/** The number of remembered chunks: some come twice, by a relay's message and by a flush of its queue. */
const REMEMBERED = 2_000;

export interface Dependencies {
  settings: () => Promise<Values>;
  limits: RateLimits;
  counters: EventCounters;
  outbox: Outbox;
  now: () => number;
}

export class Intake {
  #dependencies;
  /** The last chunks, by id, and when each is safe. */
  #taken: Map<string, Promise<void>> = new Map();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Take a content script's chunks in; once they are safe, answer what is to be captured there. Trusts no chunk. `site`:
   * an address of the frame's site.
   */
  async take(chunks: unknown, place: Place, site: string): Promise<{ capture: Capture; excluded: boolean }> {
    const values = await this.#dependencies.settings();
    if (!isExcluded(values.sites, site)) await this.admit(chunks, place, values);
    const now = await this.#dependencies.settings();
    const excluded = isExcluded(now.sites, site);
    const { on, ...rest } = captureIn(now, place.tab);
    return { capture: { on: on && !excluded, ...rest }, excluded };
  }

  /** Put chunks into the outbox, synchronously; resolved once they are stored or safe. */
  admit(chunks: unknown, place: Place, values: Values): Promise<unknown> {
    const capture = captureIn(values, place.tab);
    const valid = capture.on && Array.isArray(chunks) ? chunks.filter(isChunk) : [];
    const open = valid.filter(({ page }) => !isExcluded(values.sites, page));
    return Promise.all(open.map((chunk) => this.#once(wantedOf(chunk, capture), place)));
  }

  #once(chunk: Chunk, place: Place): Promise<void> {
    const known = this.#taken.get(chunk.id);
    if (known) return known;
    const safe = this.#put(chunk, place);
    this.#taken.set(chunk.id, safe);
    for (const id of this.#taken.keys()) {
      if (this.#taken.size <= REMEMBERED) break;
      this.#taken.delete(id);
    }
    return safe;
  }

  #put({ id, load, page, events }: Chunk, { tab, frame }: Place): Promise<void> {
    const { counters, outbox, now } = this.#dependencies;
    const placed = { id, load, page, events: this.#withinRate(events, tab), tab, frame };
    if (sizeOf(placed) > CHUNK_LIMITS.bytes) {
      placed.events = droppedEvents(lossOf(events), 'space', now());
    }
    counters.capture(placed.events);
    return placed.events.length ? outbox.put(placed) : Promise.resolve();
  }

  /** Hold a tab to its rate; events beyond it are only counted. */
  #withinRate(events: CapturedEvent[], tab: number): CapturedEvent[] {
    const { limits, now } = this.#dependencies;
    const granted = limits.take(tab, events.length, now());
    if (granted === events.length) return events;
    const beyond = events.slice(granted);
    const reports = beyond.filter(({ type }) => type === 'dropped');
    const lost = countByType(beyond.filter(({ type }) => type !== 'dropped'));
    return [...events.slice(0, granted), ...reports, ...droppedEvents(lost, 'rate', now())];
  }
}

/** Leave out unknown events, and those that the user has switched off since the page got the settings. */
function wantedOf(chunk: Chunk, { websockets, bodies }: Capture): Chunk {
  const off = [!websockets && 'websocket', !bodies && 'network_body'];
  return { ...chunk, events: chunk.events.filter((event) => isEvent(event) && !off.includes(event.type)) };
}
