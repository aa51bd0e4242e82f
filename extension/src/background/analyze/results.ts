// Keeps the last results of analyses for a moment, by what was asked of which document.

/** A result is large: more than a few tabs are not analyzed at a time. */
const KEPT = 20;

export class Results<T> {
  #kept: Map<string, { at: number; result: T }> = new Map();
  #now;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Give the result of this key if it is no older than that. */
  get(key: string, maxAgeMs: number): T | undefined {
    const found = this.#kept.get(key);
    return found && this.#now() - found.at < maxAgeMs ? found.result : undefined;
  }

  keep(key: string, result: T) {
    this.#kept.delete(key);
    this.#kept.set(key, { at: this.#now(), result });
    for (const oldest of [...this.#kept.keys()].slice(0, -KEPT)) this.#kept.delete(oldest);
  }
}
