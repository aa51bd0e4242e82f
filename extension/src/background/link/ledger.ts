// Remembers the commands that were done and their answers; it must not store, send or wait: `memory.js` and `desk.js` do.
//
// So none is done twice, and no answer is lost on the way: each is kept until the bridge has acknowledged it, and after
// that for as long as its command is among the last hundred, in case the same command comes again.

/** The limits of what is remembered. */
export const LEDGER_LIMITS = {
  commands: 100,
  answerBytes: 256 * 1024,
  // chrome.storage.session holds 10 MB, counted after JSON has escaped the quotation marks: at worst twice this
  // (https://developer.chrome.com/docs/extensions/reference/api/storage#property-session).
  allBytes: 4 * 1024 * 1024,
};

export interface Entry {
  id: string;
  /** The message that answers; null when there is none, or none any more */
  text: string | null;
  /** Of the text */
  bytes: number;
  /** The bridge has the answer, or wants none */
  acknowledged: boolean;
}

/** What a store has to write and to remove */
export type Change = { changed: Entry[]; forgotten: string[] };

/** The commands that are done, oldest first. */
export class Ledger {
  #entries: Map<string, Entry> = new Map();

  /** @param entries what a former life of the worker remembered, oldest first */
  constructor(entries: Entry[] = []) {
    for (const entry of entries) this.#entries.set(entry.id, entry);
  }

  /** Give what is remembered of a command. */
  recall(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Remember a command that is done, and its answer. */
  enter(id: string, text: string, bytes: number): Change {
    return this.#add({ id, text, bytes, acknowledged: false });
  }

  /** Remember a command that was given up: it has no answer, and must not be done again. */
  strike(id: string): Change {
    return this.#add({ id, text: null, bytes: 0, acknowledged: true });
  }

  /** Note that the bridge has the answer. One that is too large to remember goes now. */
  acknowledge(id: string): Change {
    const entry = this.#entries.get(id);
    if (!entry || entry.acknowledged) return { changed: [], forgotten: [] };
    entry.acknowledged = true;
    if (!isKeepable(entry)) empty(entry);
    return { changed: [entry, ...this.#lighten()], forgotten: [] };
  }

  /** Returns the answers that the bridge may not have, oldest first */
  unacknowledged(): Entry[] {
    return [...this.#entries.values()].filter((entry) => !entry.acknowledged);
  }

  #add(entry: Entry): Change {
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
    const forgotten = [...this.#entries.keys()].slice(0, -LEDGER_LIMITS.commands);
    for (const id of forgotten) this.#entries.delete(id);
    return { changed: [entry, ...this.#lighten()], forgotten };
  }

  /**
   * Empty the oldest answers that the bridge has, until all that are kept fit.
   * @returns those that were emptied
   */
  #lighten(): Entry[] {
    const entries = [...this.#entries.values()];
    let excess = entries.filter(isKeepable).reduce((sum, { bytes }) => sum + bytes, -LEDGER_LIMITS.allBytes);
    const emptied = [];
    for (const entry of entries) {
      if (excess <= 0) break;
      if (!entry.acknowledged || entry.text === null) continue;
      excess -= entry.bytes;
      emptied.push(empty(entry));
    }
    return emptied;
  }
}

/** Returns its answer may be remembered beyond its acknowledgement, and beyond this life of the worker */
export function isKeepable(entry: Entry): boolean {
  return entry.text !== null && entry.bytes <= LEDGER_LIMITS.answerBytes;
}

function empty(entry: Entry) {
  return Object.assign(entry, { text: null, bytes: 0 });
}
