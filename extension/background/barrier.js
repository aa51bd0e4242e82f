// Fetches what the frames of a tab have captured and not handed on yet; it must not wait long, nor fail.

/** The longest wait for the frames: one of them may hang. */
export const GATHER_MS = 500;

/**
 * Ask every frame of a tab for its queue.
 * @param {number} tab
 * @param {AbortSignal} signal
 * @returns {Promise<{frame: number, chunks: unknown}[]>}  none of a tab that is closed to us
 */
export async function queuesOf(tab, signal) {
  if (signal.aborted) return [];
  const bound = AbortSignal.any([signal, AbortSignal.timeout(GATHER_MS)]);
  const frames = await Promise.race([asked(tab), ended(bound)]);
  return frames.map(({ frameId, result }) => ({ frame: frameId, chunks: result }));
}

/**
 * @param {number} tabId
 * @returns {Promise<chrome.scripting.InjectionResult<unknown>[]>}
 */
async function asked(tabId) {
  try {
    return await chrome.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: () => /** @type {any} */ (globalThis).flushEvents?.() ?? [],
      injectImmediately: true,
    });
  } catch {
    return [];
  }
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<never[]>}  empty, at its end
 */
function ended(signal) {
  return new Promise((done) => {
    signal.addEventListener('abort', () => done([]), { once: true });
  });
}
