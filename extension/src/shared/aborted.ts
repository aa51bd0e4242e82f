// A promise that ends a wait when its signal is aborted.

/** Reject with the signal's reason once it is aborted; at once if it already is. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
