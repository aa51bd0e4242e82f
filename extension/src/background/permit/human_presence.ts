// Makes an act wait while the user types or moves in its tab.

import { Failure } from '../failure.ts';

/** The user is idle after so long without input; pauses between two keys or moves of a hand are shorter. */
const IDLE_MS = 1000;

/** The longest wait for the user (issue: "wait up to 2 s"). */
export const WAIT_MS = 2000;

/** A look at a page that took longer was a wait: by then the tab may show another page. */
const LOOKED_MS = 50;

/** Within this time nearly every page has answered, with all its frames; else its first frame is asked alone. */
const SOON_MS = 50;

/** The longest wait for the frames of a page that answers, one of which may hang; and for a page with an active user. */
const ANSWER_MS = 500;

/** The time of the user's last input in a page that is gone, by tab, as `performance.now()`. */
const lastInputs: Map<number, number> = new Map();

/** Note the user's last input in a page that is being left. */
export function noteHumanActivity(tab: number, idleMs: unknown) {
  const now = performance.now();
  for (const [one, at] of lastInputs) if (now - at > IDLE_MS) lastInputs.delete(one);
  if (typeof idleMs === 'number' && idleMs >= 0) lastInputs.set(tab, now - idleMs);
}

/** Wait until the user is idle in a tab; give whether they were not. Throws `human_active` after WAIT_MS. */
export async function waitForIdleUser(tab: number, signal: AbortSignal): Promise<boolean> {
  const begun = performance.now();
  const end = begun + WAIT_MS;
  let waited = false;
  let idle = (await idleMs(tab, WAIT_MS)) ?? Infinity; // no user works in a page that hangs so long
  while (idle < IDLE_MS) {
    signal.throwIfAborted();
    const left = end - performance.now();
    if (left <= 0) throw humanActive(tab);
    waited = true;
    await new Promise((done) => setTimeout(done, Math.min(left, IDLE_MS - idle)));
    idle = (await idleMs(tab, ANSWER_MS)) ?? 0; // the page is busy with the user's input
  }
  return waited || performance.now() - begun > LOOKED_MS;
}

/** Ms since the last input in any frame; Infinity for a tab that cannot be asked, undefined without an answer in time. */
async function idleMs(tabId: number, boundMs: number): Promise<number | undefined> {
  const every = idleIn({ tabId, allFrames: true });
  const soon = await within(SOON_MS, every);
  const page = soon ?? (await within(boundMs, idleIn({ tabId })));
  if (page === undefined) return undefined;
  const frames = soon ?? (await within(ANSWER_MS, every)) ?? Infinity;
  return Math.min(performance.now() - (lastInputs.get(tabId) ?? -Infinity), page, frames);
}

async function idleIn(target: chrome.scripting.InjectionTarget): Promise<number> {
  try {
    const func = () => (globalThis as any).gasoline?.humanIdleMs?.() ?? null; // JSON has no infinity
    const frames = await chrome.scripting.executeScript({ target, func, injectImmediately: true });
    return Math.min(...frames.map(({ result }) => result ?? Infinity));
  } catch {
    return Infinity;
  }
}

function within(ms: number, answer: Promise<number>): Promise<number | undefined> {
  return Promise.race([answer, new Promise((done: (none: undefined) => void) => setTimeout(done, ms))]);
}

function humanActive(tab: number) {
  return new Failure('human_active', `The user is typing or moving in tab ${tab}.`, {
    details: { tab_id: tab, waited_ms: WAIT_MS },
    recovery: 'Call again in a moment, or tell the user what you want to do there.',
  });
}
