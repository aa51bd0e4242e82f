// Says how long to wait before the next attempt to connect; it must not wait itself.

/** At once, then longer, but never so long that a server that returns is met later than a second after. */
const DELAYS_MS = [0, 100, 250, 500, 750];

/** Counts attempts since the last success. */
export class Backoff {
  #tries = 0;

  /** Returns milliseconds until the next attempt */
  next(): number {
    const delay = DELAYS_MS[Math.min(this.#tries++, DELAYS_MS.length - 1)];
    return delay as number;
  }

  /** Begin anew, after a success. */
  reset() {
    this.#tries = 0;
  }
}
