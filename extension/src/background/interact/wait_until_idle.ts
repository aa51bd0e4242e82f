// Waits until a page has come to rest after an action; the waits are the worker's, a hidden page's timers are late.

/** Quiet for so long a page is at rest (SPEC, settled contradiction 2). */
export const QUIET_MS = 50;

/** The longest wait for rest, without and with `analyze` (the same). */
export const CAP_MS = { plain: 500, analyze: 2000 };

export type Pulse = { quietMs: number; timingMs: number; frames: number; gone?: boolean };

/** Wait until neither the page nor its network has done anything for a while. */
export async function settle(
  pulse: () => Promise<Pulse>,
  network: { quietMs: number },
  capMs: number,
  clock: { now: () => number; wait: (ms: number) => Promise<unknown> },
): Promise<Pulse & { settled: boolean }> {
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
