// Adds up layout shifts as the vital does: the worst window of shifts less than 1 s apart, of at most 5 s.
//
// https://web.dev/articles/cls#how-is-cls-measured

import { nameOf } from '../dom/naming.ts';
import type { ShiftEntry } from '../dom/resource_timing.ts';

const GAP_MS = 1_000;
const WINDOW_MS = 5_000;

/** The most shifts that are named. */
const NAMED = 20;

export function layoutShift(entries: ShiftEntry[]): object {
  const windows: ShiftEntry[][] = [];
  for (const entry of entries.filter(({ hadRecentInput }) => !hadRecentInput)) {
    const open = windows.at(-1);
    const [first, last] = [open?.[0], open?.at(-1)];
    const joins =
      first && last && entry.startTime - last.startTime < GAP_MS && entry.startTime - first.startTime < WINDOW_MS;
    if (open && joins) open.push(entry);
    else windows.push([entry]);
  }
  const worst = windows.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0] ?? [];
  const largest = worst.toSorted((one, other) => other.value - one.value).slice(0, NAMED);
  return {
    layout_shift: Math.round(scoreOf(worst) * 10_000) / 10_000,
    shifts: largest.map(({ value, sources }) => ({
      score: Math.round(value * 10_000) / 10_000,
      selector: nameOf(sources.find(({ node }) => node)?.node ?? null),
    })),
  };
}

function scoreOf(shifts: ShiftEntry[]) {
  return shifts.reduce((sum, { value }) => sum + value, 0);
}
