// The texts of the popup's counters.

import type { Counts } from '../shared/counts.ts';
import type { CapturedEvent } from '../shared/events.ts';

/** Each label, and the kinds of events that are counted under it. */
const LABELS: [string, CapturedEvent['type'][]][] = [
  ['Console', ['console']],
  ['Errors', ['error']],
  ['Requests', ['network', 'network_body']],
  ['WebSocket', ['websocket']],
  ['Actions', ['action', 'navigation']],
  ['Performance', ['performance', 'resource', 'timing', 'vital']],
];

export function tally({ captured }: Counts): [string, string][] {
  return LABELS.map(([name, types]) => [name, written(sum(types.map((type) => captured[type] ?? 0)))]);
}

/** Empty if no event was dropped. */
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
