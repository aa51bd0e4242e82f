// Decides whether a page is idle after an action. The worker waits and the page answers: both decide by this rule.
//
// A shorter wait for a page in which nothing has happened was measured (tests/bench/late_changes.py): what a timer of 35 to
// 50 ms does would be missing in the reply.

/** A page that was quiet for so long is idle (SPEC, settled contradiction 2). */
export const QUIET_MS = 50;

/**
 * Before a further step of the same action less is enough, once a frame was drawn: no reply is given by it, only what the
 * page does at once is awaited.
 */
export const PAUSE_MS = 20;

/**
 * What a page reports. `frames`: 1 until it has drawn a frame. `awaits`: something is to come, as what a hover shows, the
 * answer to a WebSocket's message, or an answer that the browser has and the page has not. `owed`: it is sure to come, as
 * the rest of an answer or the answer to a request, and the page is not idle before.
 */
export type Activity = { quietMs: number; timingMs: number; frames: number; awaits?: boolean; owed?: boolean };

/** What the worker knows; `wantedMs`: how long the page must have been quiet. */
export type Elapsed = { networkQuietMs: number; elapsedMs: number; capMs: number; wantedMs: number };

/** `ended`: there is no further wait; `settled`: the page is idle; `waitMs`: until the next look. */
export type Verdict = { ended: boolean; settled: boolean; waitMs: number };

export function judgeIdle(seen: Activity, { networkQuietMs, elapsedMs, capMs, wantedMs }: Elapsed): Verdict {
  const quiet = Math.min(seen.quietMs, networkQuietMs);
  const isMissing = seen.awaits === true && !seen.owed; // what has not come until now will not
  const isLate = elapsedMs >= capMs;
  const isQuiet = !seen.frames && quiet >= wantedMs;
  if (isQuiet && seen.awaits && !isLate) return { ended: false, settled: false, waitMs: QUIET_MS };
  if (isLate || isQuiet) return { ended: true, settled: isQuiet && (!isLate || isMissing), waitMs: 0 };
  return { ended: false, settled: false, waitMs: Math.max(5, Math.min(wantedMs - quiet, capMs - elapsedMs)) };
}
