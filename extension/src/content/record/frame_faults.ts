// Counts the errors of this frame together with those of the frames of its origin that are in it: to a user they are one page.

import type { PageFaults } from '../../shared/counted_faults.ts';
import { frame, type Relay } from '../frame.ts';
import { type FaultText, inWords } from './fault_text.ts';

/** How many errors each frame has had. */
export type FaultCounts = Map<Relay, number>;

/** The most frames that are looked into. */
const FRAMES = 50;

export function faultCounts(): FaultCounts {
  return new Map(relays().map((relay) => [relay, relay.faults()]));
}

/** Give the errors since the counts were taken: how many, and the first of them in words. */
export function faultsSince(before: FaultCounts): PageFaults {
  const texts: FaultText[] = [];
  let count = 0;
  for (const relay of relays()) {
    const since = relay.faultsSince(before.get(relay) ?? 0);
    count += since.count;
    texts.push(...since.texts);
  }
  return { console_errors: count, errors: inWords(texts) };
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
