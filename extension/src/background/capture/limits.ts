// Limits the rate of each tab's events, by a token bucket.

/** The most events a second that a tab may send, in the long run and at once. */
export const TAB_LIMITS = { perSecond: 1_000, burst: 2_000 };

export class RateLimits {
  #buckets: Map<number, { tokens: number; at: number }> = new Map();

  /** Take tokens from a tab's bucket; give their number, at most `wanted`. `now` in ms. */
  take(tab: number, wanted: number, now: number): number {
    const { tokens, at } = this.#buckets.get(tab) ?? { tokens: TAB_LIMITS.burst, at: now };
    const filled = tokens + (Math.max(0, now - at) * TAB_LIMITS.perSecond) / 1000;
    const available = Math.min(TAB_LIMITS.burst, filled);
    const granted = Math.min(wanted, Math.floor(available));
    this.#buckets.set(tab, { tokens: available - granted, at: now });
    return granted;
  }

  forget(tab: number) {
    this.#buckets.delete(tab);
  }
}
