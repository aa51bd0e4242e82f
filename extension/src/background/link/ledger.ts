// The commands that were done and their results; `ledger_store.ts` stores them and `command_runner.ts` sends them.
//
// A result is kept until the bridge has acknowledged it, and after that for as long as its command is among the last
// hundred, in case the same command comes again.

export const LEDGER_LIMITS = {
  commands: 100,
  answerBytes: 256 * 1024,
  // chrome.storage.session holds 10 MB, counted after JSON has escaped the quotation marks: at worst twice this
  // (https://developer.chrome.com/docs/extensions/reference/api/storage#property-session).
  allBytes: 4 * 1024 * 1024,
};

export interface Entry {
  id: string;
  /** The message with the result; null if there is none, or it is no longer kept. */
  text: string | null;
  bytes: number;
  /** The bridge has the result, or does not want it. */
  acknowledged: boolean;
}

/** What a store has to write and to remove. */
export type Change = { changed: Entry[]; forgotten: string[] };

export class Ledger {
  /** Oldest first. */
  #entries: Map<string, Entry> = new Map();

  constructor(entries: Entry[] = []) {
    for (const entry of entries) this.#entries.set(entry.id, entry);
  }

  recall(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Add a command that is done, with its result. */
  enter(id: string, text: string, bytes: number): Change {
    return this.#add({ id, text, bytes, acknowledged: false });
  }

  /** Add a command that has no result and must not be run again. */
  strike(id: string): Change {
    return this.#add({ id, text: null, bytes: 0, acknowledged: true });
  }

  /** Note that the bridge has the result. One that is too large to keep is dropped now. */
  acknowledge(id: string): Change {
    const entry = this.#entries.get(id);
    if (!entry || entry.acknowledged) return { changed: [], forgotten: [] };
    entry.acknowledged = true;
    if (!isKeepable(entry)) empty(entry);
    return { changed: [entry, ...this.#lighten()], forgotten: [] };
  }

  /** Give the results that the bridge may not have, oldest first. */
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

  /** Drop the oldest results that the bridge has until the rest fits; give the entries that changed. */
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

/** Whether a result may be kept beyond its acknowledgement and beyond the life of this worker. */
export function isKeepable(entry: Entry): boolean {
  return entry.text !== null && entry.bytes <= LEDGER_LIMITS.answerBytes;
}

function empty(entry: Entry) {
  return Object.assign(entry, { text: null, bytes: 0 });
}
