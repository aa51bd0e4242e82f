// Waits until a page is idle after an action; here and not in the page, as the timers of hidden pages are late.

/** A page that was quiet for so long is idle (SPEC, settled contradiction 2). */
const QUIET_MS = 50;

/** The longest wait, without and with `analyze` (the same). */
export const CAP_MS = { plain: 500, analyze: 2000 };

/**
 * `frames`: 1 until the page has drawn a frame since its last change. `awaits`: something is to come, as what a hover shows,
 * or the answer to a WebSocket's message. `gone`: the page was left.
 */
export type Activity = { quietMs: number; timingMs: number; frames: number; awaits?: boolean; gone?: boolean };

/** Wait until neither the page nor its network has been active for QUIET_MS, and what is to come has come. */
export async function waitUntilIdle(
  activity: () => Promise<Activity>,
  network: { quietMs: number },
  capMs: number,
  clock: { now: () => number; wait: (ms: number) => Promise<unknown> },
): Promise<Activity & { settled: boolean }> {
  const begun = clock.now();
  for (let wait = QUIET_MS; ; ) {
    await clock.wait(wait);
    const seen = await activity();
    if (seen.gone) return { ...seen, settled: false };
    const quiet = Math.min(seen.quietMs, network.quietMs);
    const isLate = clock.now() - begun >= capMs;
    const isQuiet = !seen.frames && quiet >= QUIET_MS;
    if (isQuiet && seen.awaits && !isLate) {
      wait = QUIET_MS;
      continue;
    }
    if (isLate || isQuiet) return { ...seen, settled: isQuiet && (!isLate || seen.awaits === true) };
    wait = Math.max(5, Math.min(QUIET_MS - quiet, capMs - (clock.now() - begun)));
  }
}
