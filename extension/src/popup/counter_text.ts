// Says what the popup shows of the counters; it must touch no page and ask nothing of Chrome.

import type { Counts } from '../shared/counts.ts';

/** What is shown, and which types of events count as that */
const KINDS: [string, string[]][] = [
  ['Console', ['console']],
  ['Errors', ['error']],
  ['Requests', ['network', 'network_body']],
  ['WebSocket', ['websocket']],
  ['Actions', ['action', 'navigation']],
  ['Performance', ['performance', 'resource', 'timing', 'vital']],
];

/** Add the counts up by what a human calls the events. */
export function tally({ captured }: Counts): [string, string][] {
  return KINDS.map(([name, types]) => [name, written(sum(types.map((type) => captured[type] ?? 0)))]);
}

/**
 * Say how many events were dropped.
 * @returns empty if none were
 */
export function loss({ dropped }: Counts): string {
  const count = sum(Object.values(dropped));
  return count ? `${written(count)} dropped` : '';
}

function sum(numbers: number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}

function written(count: number) {
  return count < 100_000 ? count.toLocaleString('en') : `${Math.floor(count / 1000).toLocaleString('en')}k`;
}
