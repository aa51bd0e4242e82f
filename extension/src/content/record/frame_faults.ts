// Gives the errors and requests of this frame and of the frames of its origin in it: to a user they are one page.

import type { PageFaults, PageRequest } from '../../shared/counted_faults.ts';
import { frame, type Relay } from '../frame.ts';
import { type FaultText, inWords } from './fault_text.ts';

/** How many errors each frame has had. */
export type FaultCounts = Map<Relay, number>;

/** The most frames that are looked into. */
const FRAMES = 50;

const URL_CHARACTERS = 2_000;

export function faultCounts(): FaultCounts {
  return new Map(relays().map((relay) => [relay, relay.faults()]));
}

/** Give the errors since the counts were taken: how many, and the first of them in words. */
export function errorsSince(before: FaultCounts): PageFaults {
  const texts: FaultText[] = [];
  let count = 0;
  for (const relay of relays()) {
    const since = relay.faultsSince(before.get(relay) ?? 0);
    count += since.count;
    texts.push(...since.texts);
  }
  return { console_errors: count, errors: inWords(texts) };
}

/** Give the requests that scripts have begun since `performance.now()` was so much, and that are over. */
export function requestsSince(begun: number): PageRequest[] {
  const since = performance.timeOrigin + begun;
  return relays()
    .flatMap((relay) => relay.ended())
    .filter(({ url, ts }) => ts >= since && /^https?:/.test(url))
    .map(({ url, ...more }) => ({ ...more, url: url.slice(0, URL_CHARACTERS) }));
}

/** Give what has gone wrong since this page began to load. */
export function faultsOfPage(): PageFaults {
  const failed = requestsSince(0).filter(({ status, error }) => status >= 400 || error);
  return { ...errorsSince(new Map()), ...(failed.length && { requests: failed }) };
}

function relays(): Relay[] {
  const found: Relay[] = frame.relay ? [frame.relay] : [];
  const windows: Window[] = [window];
  for (const at of windows) {
    for (let number = 0; number < at.length && windows.length <= FRAMES; number++) {
      const relay = relayOf(at[number]);
      if (relay === undefined) continue;
      windows.push(at[number] as Window);
      if (relay) found.push(relay);
    }
  }
  return found;
}

/** The relay of a frame; null if it has none, undefined for one of another origin. */
function relayOf(view: any): Relay | null | undefined {
  try {
    return view.gasoline?.relay ?? null;
  } catch {
    return undefined;
  }
}
