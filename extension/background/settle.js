// Waits until a page has come to rest after an action; the waits are the worker's, a hidden page's timers are late.

/** Quiet for so long a page is at rest (SPEC, settled contradiction 2). */
export const QUIET_MS = 50;

/** The longest wait for rest, without and with `analyze` (the same). */
export const CAP_MS = { plain: 500, analyze: 2000 };

/** @typedef {{quietMs: number, timingMs: number, frames: number, gone?: boolean}} Pulse */

/**
 * Wait until neither the page nor its network has done anything for a while.
 * @param {() => Promise<Pulse>} pulse
 * @param {{quietMs: number}} network
 * @param {number} capMs
 * @param {{now: () => number, wait: (ms: number) => Promise<unknown>}} clock
 * @returns {Promise<Pulse & {settled: boolean}>}
 */
export async function settle(pulse, network, capMs, clock) {
  const begun = clock.now();
  for (let wait = QUIET_MS; ; ) {
    await clock.wait(wait);
    const seen = await pulse();
    if (seen.gone) return { ...seen, settled: false };
    const quiet = Math.min(seen.quietMs, network.quietMs);
    const late = clock.now() - begun >= capMs;
    if (late || (!seen.frames && quiet >= QUIET_MS)) return { ...seen, settled: !late };
    wait = Math.max(5, Math.min(QUIET_MS - quiet, capMs - (clock.now() - begun)));
  }
}
