// Says how many events a tab may still send in this moment; it must not know what they are, nor read a clock.

/** The most events a second that a tab may send, in the long run and at once. */
export const TAB_LIMITS = { perSecond: 1_000, burst: 2_000 };

/** A bucket of tokens for each tab: one that fills steadily, and from which each event takes one. */
export class Limits {
  #buckets: Map<number, { tokens: number; at: number }> = new Map();

  /**
   * Take tokens out of a tab's bucket.
   * @param now milliseconds
   * @returns how many there were, at most `wanted`
   */
  take(tab: number, wanted: number, now: number): number {
    const { tokens, at } = this.#buckets.get(tab) ?? { tokens: TAB_LIMITS.burst, at: now };
    const filled = tokens + (Math.max(0, now - at) * TAB_LIMITS.perSecond) / 1000;
    const there = Math.min(TAB_LIMITS.burst, filled);
    const granted = Math.min(wanted, Math.floor(there));
    this.#buckets.set(tab, { tokens: there - granted, at: now });
    return granted;
  }

  /** Drop the bucket of a tab that was closed. */
  forget(tab: number) {
    this.#buckets.delete(tab);
  }
}
