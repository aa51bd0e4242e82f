// Hands an event of this world to the relay of its frame.

import type { CapturedEvent, Untimed } from '../../shared/events.ts';
import { frame } from '../frame.ts';

/** Capture an event; without `ts`, it is now. */
export function capture(event: Untimed<CapturedEvent>) {
  frame.relay?.capture(event);
}
