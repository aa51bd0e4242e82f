// Lets one run of axe at a time happen in this frame: axe refuses a second one.

import { frame } from '../frame.ts';

/** Run axe when no other run of it is under way. */
export async function alone<T>(run: () => Promise<T>): Promise<T> {
  const own = frame.axeRun.then(run, run);
  frame.axeRun = own.catch(() => {});
  return own;
}
