// Fetches the captured events that the frames of a tab have not sent yet.

/** The longest wait: one of the frames may hang. */
const FLUSH_MS = 500;

/** The same where the frames first wait until they have captured what came of the last step. */
const SETTLE_MS = 3000;

/** What a frame is asked for, at once or after it has settled. */
const ASKED = {
  now: () => (globalThis as any).gasoline?.relay?.flush() ?? [],
  settled: () => (globalThis as any).gasoline?.settled?.() ?? [],
};

/**
 * Give the queue of each frame; none of a tab to which extensions have no access. It never fails. `settled`: after they
 * have captured what came of the last step.
 */
export async function queuesOf(
  tab: number,
  signal: AbortSignal,
  { settled = false } = {},
): Promise<{ frame: number; chunks: unknown }[]> {
  if (signal.aborted) return [];
  const bound = AbortSignal.any([signal, AbortSignal.timeout(settled ? SETTLE_MS : FLUSH_MS)]);
  const frames = await Promise.race([flushed(tab, settled ? ASKED.settled : ASKED.now), noneAtAbort(bound)]);
  return frames.map(({ frameId, result }) => ({ frame: frameId, chunks: result }));
}

async function flushed(tabId: number, func: () => unknown): Promise<chrome.scripting.InjectionResult<unknown>[]> {
  try {
    return await chrome.scripting.executeScript({
      target: { tabId, allFrames: true },
      func,
      injectImmediately: true,
    });
  } catch {
    return [];
  }
}

function noneAtAbort(signal: AbortSignal): Promise<never[]> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => done([]), { once: true });
  });
}
