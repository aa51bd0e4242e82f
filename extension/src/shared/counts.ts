// How many events were captured and dropped since the last clear, as the worker shows the popup; it must not count.

/** By the events' type. `since`: milliseconds since the epoch. */
export type Counts = { since: number; captured: Record<string, number>; dropped: Record<string, number> };

/** The key in chrome.storage.session. */
export const COUNTS_KEY = 'counts';

/** Return counts of nothing, from now on. */
export const noCounts = (now: number): Counts => ({ since: now, captured: {}, dropped: {} });
