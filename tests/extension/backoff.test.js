import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../extension/src/background/link/backoff.ts';

test('the first attempt is immediate, later ones wait longer, and none waits a second', () => {
  const backoff = new Backoff();

  const delays = Array.from({ length: 20 }, () => backoff.nextMs());

  assert.equal(delays[0], 0);
  assert.deepEqual(
    delays,
    [...delays].sort((one, other) => one - other),
  );
  assert.equal(delays.at(-1), 750);
});

test('after a success, everything begins again', () => {
  const backoff = new Backoff();
  for (let times = 0; times < 5; times++) backoff.nextMs();

  backoff.reset();

  assert.equal(backoff.nextMs(), 0);
});
