import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.chrome ??= {};
const { chainOf, GRACE_MS } = await import('../../extension/src/background/interact/effects.ts');

/** A request from when to when, ms; `end` null: under way. */
const from = (start, end) => ({
  url: `${start}`,
  method: 'GET',
  type: 'xmlhttprequest',
  start,
  end,
  status: 200,
  bytes: null,
  error: '',
});
const starts = (exchanges, replied) => chainOf(exchanges, replied).map(({ start }) => start);

test('what began before the reply, or shortly after it, is of the action', () => {
  assert.deepEqual(starts([from(0, 50), from(90, 100), from(100 + GRACE_MS, 700), from(5000, 5001)], 100), [
    0,
    90,
    100 + GRACE_MS,
  ]);
});

test('what began while a request of the action was under way, or shortly after, is of it', () => {
  assert.deepEqual(starts([from(0, 3000), from(2900, 4000), from(4000 + GRACE_MS, 5000), from(9000, 9001)], 100), [
    0,
    2900,
    4000 + GRACE_MS,
  ]);
});

test('while one is under way nothing is separated from it', () => {
  assert.deepEqual(starts([from(0, null), from(9000, 9001)], 100), [0, 9000]);
});
