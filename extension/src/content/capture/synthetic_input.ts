// Knows while real input in this tab is the assistant's: the page cannot distinguish it from the human's, and we must.

import { frame } from '../frame.ts';

/** The longest time for which one action sends input. */
export const OWN_INPUT_MS = 5000;

export function isOwnInput(): boolean {
  return performance.now() < frame.ownInputUntil;
}
