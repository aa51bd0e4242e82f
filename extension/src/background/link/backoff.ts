// The pauses between attempts to connect to the bridge.

/** The last one is the longest time by which a bridge that returns is noticed too late. */
const DELAYS_MS = [0, 100, 250, 500, 750];

export class Backoff {
  #tries = 0;

  nextMs(): number {
    const delay = DELAYS_MS[Math.min(this.#tries++, DELAYS_MS.length - 1)];
    return delay as number;
  }

  reset() {
    this.#tries = 0;
  }
}
