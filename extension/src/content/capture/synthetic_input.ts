// Marks real input in this tab as the assistant's while it is sent: the page cannot distinguish it from the user's, capture must.

import { frame } from '../frame.ts';

/** The longest time for which one action sends input. */
export const OWN_INPUT_MS = 5000;

export function isOwnInput(): boolean {
  return performance.now() < frame.ownInputUntil;
}
