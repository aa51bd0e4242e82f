// How many events were captured and dropped since the last clear, as the worker tells the popup; it must not count.

/** By the events' type. `since`: milliseconds since the epoch. */
export type Counts = { since: number; captured: Record<string, number>; dropped: Record<string, number> };

/** Where they stand in chrome.storage.session. */
export const COUNTS_KEY = 'counts';

/** Begin anew. */
export const noCounts = (now: number): Counts => ({ since: now, captured: {}, dropped: {} });
