// Lets an act wait while the human types or moves in its tab; it must not look at what they do.

import { Failure } from '../failure.ts';

/** So long nobody must have touched the tab: pauses between two keys or moves of a hand are shorter. */
export const QUIET_MS = 1000;

/** The longest wait for the human (issue: "wait up to 2 s"). */
export const PATIENCE_MS = 2000;

/** The longest wait for the frames of a page that answers, one of which may hang; and for a page with a human at work. */
const ASK_MS = 500;

/** When a human touched a page that is gone, by tab, as `performance.now()` */
const touches: Map<number, number> = new Map();

/**
 * Note that a human had touched a page when it went away.
 * @param idleMs since when they had not
 */
export function touchedBefore(tab: number, idleMs: unknown) {
  const now = performance.now();
  for (const [one, at] of touches) if (now - at > QUIET_MS) touches.delete(one);
  if (typeof idleMs === 'number' && idleMs >= 0) touches.set(tab, now - idleMs);
}

/**
 * Wait until the human is quiet in a tab.
 * @throws `human_active`
 */
export async function quiet(tab: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let idle = (await idleMs(tab, PATIENCE_MS)) ?? Infinity; // a page that hangs so long has no human at work
  while (idle < QUIET_MS) {
    signal.throwIfAborted();
    const left = end - performance.now();
    if (left <= 0) throw active(tab);
    await new Promise((done) => setTimeout(done, Math.min(left, QUIET_MS - idle)));
    idle = (await idleMs(tab, ASK_MS)) ?? 0; // busy with what they did
  }
}

/**
 * Returns ms since a human touched any frame of it, for ever if it cannot be asked;
 *   undefined if it does not answer in time
 */
async function idleMs(tabId: number, patienceMs: number): Promise<number | undefined> {
  const every = idleIn({ tabId, allFrames: true });
  const page = await within(patienceMs, idleIn({ tabId }));
  if (page === undefined) return undefined;
  const frames = (await within(ASK_MS, every)) ?? Infinity;
  return Math.min(performance.now() - (touches.get(tabId) ?? -Infinity), page, frames);
}

async function idleIn(target: chrome.scripting.InjectionTarget): Promise<number> {
  try {
    const func = () => (globalThis as any).gasoline?.humanIdleMs?.() ?? null; // JSON has no word for infinity
    const frames = await chrome.scripting.executeScript({ target, func, injectImmediately: true });
    return Math.min(...frames.map(({ result }) => result ?? Infinity));
  } catch {
    return Infinity;
  }
}

/** Returns undefined if there is no answer in time */
function within(ms: number, asked: Promise<number>): Promise<number | undefined> {
  return Promise.race([asked, new Promise((done: (none: undefined) => void) => setTimeout(done, ms))]);
}

function active(tab: number) {
  return new Failure('human_active', `The user is typing or moving in tab ${tab}.`, {
    details: { tab_id: tab, waited_ms: PATIENCE_MS },
    recovery: 'Call again in a moment, or tell the user what you want to do there.',
  });
}
