import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeIdle, PAUSE_MS, QUIET_MS } from '../../extension/src/shared/idle_rule.ts';

const QUIET = { quietMs: 50, timingMs: 0, frames: 0, awaits: false };
const ALONE = { networkQuietMs: 50, elapsedMs: 50, capMs: 500, wantedMs: QUIET_MS };

const judged = (seen, elapsed = {}) => judgeIdle({ ...QUIET, ...seen }, { ...ALONE, ...elapsed });

test('a page is idle once it and its network were quiet for 50 ms', () => {
  assert.deepEqual(judged({}), { ended: true, settled: true, waitMs: 0 });
  assert.deepEqual(judged({ quietMs: 20 }), { ended: false, settled: false, waitMs: 30 });
  assert.deepEqual(judged({}, { networkQuietMs: 0 }), { ended: false, settled: false, waitMs: 50 });
});

test('between two steps of an action less is enough, once a frame was drawn', () => {
  const paused = { networkQuietMs: 20, elapsedMs: 20, wantedMs: PAUSE_MS };

  assert.deepEqual(judged({ quietMs: 20 }, paused), { ended: true, settled: true, waitMs: 0 });
  assert.deepEqual(judged({ quietMs: 20, frames: 1 }, paused), { ended: false, settled: false, waitMs: 5 });
  assert.deepEqual(judged({ quietMs: 8 }, paused), { ended: false, settled: false, waitMs: 12 });
});

test('a frame that is owed is waited for, until the time is over', () => {
  const owed = { frames: 1, quietMs: 400 };

  assert.deepEqual(judged(owed, { networkQuietMs: 400 }), { ended: false, settled: false, waitMs: 5 });
  assert.deepEqual(judged(owed, { elapsedMs: 500 }), { ended: true, settled: false, waitMs: 0 });
});

test('what is to come is waited for, and that it did not come is no unrest', () => {
  const hover = { awaits: true, quietMs: 60 };

  assert.deepEqual(judged(hover, { networkQuietMs: 60 }), { ended: false, settled: false, waitMs: 50 });
  assert.deepEqual(judged(hover, { networkQuietMs: 500, elapsedMs: 500 }), { ended: true, settled: true, waitMs: 0 });
});

test('a page that is owed an answer is waited for, and is not idle when the time is over', () => {
  const parts = { awaits: true, owed: true, quietMs: 60 };

  assert.deepEqual(judged(parts, { networkQuietMs: 60 }), { ended: false, settled: false, waitMs: 50 });
  assert.deepEqual(judged(parts, { networkQuietMs: 500, elapsedMs: 500 }), { ended: true, settled: false, waitMs: 0 });
});
