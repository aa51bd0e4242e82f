// Says what the popup shows of the counters; it must touch no page and ask nothing of Chrome.

/** @typedef {import('../shared/counts.js').Counts} Counts */

/** @type {[string, string[]][]}  what is shown, and which types of events count as that */
const KINDS = [
  ['Console', ['console']],
  ['Errors', ['error']],
  ['Requests', ['network', 'network_body']],
  ['WebSocket', ['websocket']],
  ['Actions', ['action', 'navigation']],
  ['Performance', ['performance', 'resource', 'timing', 'vital']],
];

/**
 * Add the counts up by what a human calls the events.
 * @param {Counts} counts
 * @returns {[string, string][]}
 */
export function tally({ captured }) {
  return KINDS.map(([name, types]) => [name, written(sum(types.map((type) => captured[type] ?? 0)))]);
}

/**
 * Say how many events were dropped.
 * @param {Counts} counts
 * @returns {string}  empty if none were
 */
export function loss({ dropped }) {
  const count = sum(Object.values(dropped));
  return count ? `${written(count)} dropped` : '';
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {number} count */
function written(count) {
  return count < 100_000 ? count.toLocaleString('en') : `${Math.floor(count / 1000).toLocaleString('en')}k`;
}
