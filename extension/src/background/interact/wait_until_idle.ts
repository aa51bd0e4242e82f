// Waits until a page is idle after an action; here and not in the page, as the timers of hidden pages are late.

import { type Activity, type Elapsed, judgeIdle } from '../../shared/idle_rule.ts';

/** The longest wait, without and with `analyze` (the same). */
export const CAP_MS = { plain: 500, analyze: 2000 };

/** `wantedMs`: how long the page must have been quiet; `capMs`: the longest wait. */
type Bounds = { wantedMs: number; capMs: number };

/** `gone`: the page was left. */
export type Seen = Activity & { gone?: boolean };

/** Wait until neither the page nor its network is active, and what is to come has come; give the last that was seen. */
export async function waitUntilIdle<S extends Seen>(
  look: (elapsed: Elapsed) => Promise<S>,
  network: { quietMs: number },
  { wantedMs, capMs }: Bounds,
  clock: { now: () => number; wait: (ms: number) => Promise<unknown> },
): Promise<S & { settled: boolean }> {
  const begun = clock.now();
  for (let wait = wantedMs; ; ) {
    await clock.wait(wait);
    const elapsed = { networkQuietMs: network.quietMs, elapsedMs: clock.now() - begun, capMs, wantedMs };
    const seen = await look(elapsed);
    if (seen.gone) return { ...seen, settled: false };
    const { ended, settled, waitMs } = judgeIdle(seen, elapsed);
    if (ended) return { ...seen, settled };
    wait = waitMs;
  }
}
