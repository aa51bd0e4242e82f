// Fetches what the frames of a tab have captured and not handed on yet; it must not wait long, nor fail.

/** The longest wait for the frames: one of them may hang. */
export const GATHER_MS = 500;

/**
 * Ask every frame of a tab for its queue.
 * @returns none of a tab that is closed to us
 */
export async function queuesOf(tab: number, signal: AbortSignal): Promise<{ frame: number; chunks: unknown }[]> {
  if (signal.aborted) return [];
  const bound = AbortSignal.any([signal, AbortSignal.timeout(GATHER_MS)]);
  const frames = await Promise.race([asked(tab), ended(bound)]);
  return frames.map(({ frameId, result }) => ({ frame: frameId, chunks: result }));
}

async function asked(tabId: number): Promise<chrome.scripting.InjectionResult<unknown>[]> {
  try {
    return await chrome.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: () => (globalThis as any).gasoline?.relay?.flush() ?? [],
      injectImmediately: true,
    });
  } catch {
    return [];
  }
}

/** Returns empty, at its end */
function ended(signal: AbortSignal): Promise<never[]> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => done([]), { once: true });
  });
}
