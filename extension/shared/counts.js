// How many events were captured and dropped since the last clear, as the worker tells the popup; it must not count.

/**
 * By the events' type. `since`: milliseconds since the epoch.
 * @typedef {{since: number, captured: Record<string, number>, dropped: Record<string, number>}} Counts
 */

/** Where they stand in chrome.storage.session. */
export const COUNTS_KEY = 'counts';

/**
 * Begin anew.
 * @param {number} now
 * @returns {Counts}
 */
export const noCounts = (now) => ({ since: now, captured: {}, dropped: {} });
