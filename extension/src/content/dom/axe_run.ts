// Lets one run of axe at a time happen in this frame, which refuses a second one, and notes when: it is no work of the page.

import { frame } from '../frame.ts';

/** Run axe when no other run of it is under way. */
export async function alone<T>(run: () => Promise<T>): Promise<T> {
  const noted = async () => {
    const begun = performance.now();
    try {
      return await run();
    } finally {
      frame.axeRuns.push({ begun, ended: performance.now() });
    }
  };
  const own = frame.axeRun.then(noted, noted);
  frame.axeRun = own.catch(() => {});
  return own;
}

/** Whether what the page's timeline has is, for the most part, a run of axe. */
export function isOfAxe({ startTime, duration }: PerformanceEntry): boolean {
  return frame.axeRuns.some(({ begun, ended }) => {
    return 2 * (Math.min(ended, startTime + duration) - Math.max(begun, startTime)) > duration;
  });
}
