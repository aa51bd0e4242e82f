// Fetches the captured events that the frames of a tab have not sent yet.

/** The longest wait: one of the frames may hang. */
const FLUSH_MS = 500;

/** Give the queue of each frame; none of a tab to which extensions have no access. It never fails. */
export async function queuesOf(tab: number, signal: AbortSignal): Promise<{ frame: number; chunks: unknown }[]> {
  if (signal.aborted) return [];
  const bound = AbortSignal.any([signal, AbortSignal.timeout(FLUSH_MS)]);
  const frames = await Promise.race([flushed(tab), noneAtAbort(bound)]);
  return frames.map(({ frameId, result }) => ({ frame: frameId, chunks: result }));
}

async function flushed(tabId: number): Promise<chrome.scripting.InjectionResult<unknown>[]> {
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

function noneAtAbort(signal: AbortSignal): Promise<never[]> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => done([]), { once: true });
  });
}
