import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventCounters, WRITE_MS } from '../../extension/src/background/capture/event_counters.ts';
import { COUNTS_KEY } from '../../extension/src/shared/counts.ts';
import { FakeArea, FakeClock, turn } from './fakes.js';

const log = { ts: 1, type: 'console', level: 'log', args: [] };
const error = { ts: 1, type: 'error', kind: 'error', message: 'x' };

function opened(area = new FakeArea()) {
  const clock = new FakeClock();
  const counters = new EventCounters({ area, clock, now: () => clock.now });
  return { area, clock, counters, written: () => area.items[COUNTS_KEY] };
}

test('what was captured is counted by type, and seen at once', async () => {
  const { counters, written } = opened();

  counters.capture([log, log, error]);
  await turn();

  assert.deepEqual(written().captured, { console: 2, error: 1 });
});

test('what a page reports as dropped counts as dropped, not as captured', () => {
  const { counters } = opened();

  counters.capture([log, { ts: 1, type: 'dropped', of: 'console', count: 312, why: 'rate' }]);
  counters.drop(new Map([['console', 8]]));

  assert.deepEqual([counters.counts.captured, counters.counts.dropped], [{ console: 1 }, { console: 320 }]);
});

for (const [of, count] of [
  ['__proto__', 1],
  ['console', -1],
  ['console', 1.5],
  ['console', '9'],
  [7, 1],
  ['X'.repeat(99), 1],
]) {
  test(`a loss of ${count} of ${String(of).slice(0, 12)} is not believed`, () => {
    const { counters } = opened();

    counters.capture([{ ts: 1, type: 'dropped', of, count, why: 'rate' }]);

    assert.deepEqual(counters.counts.dropped, {});
  });
}

test('they are written at most once a second, and at last as they are', async () => {
  const { counters, clock, area, written } = opened();
  let writes = 0;
  const set = area.set.bind(area);
  area.set = (items) => (writes++, set(items));

  for (let time = 0; time < 2 * WRITE_MS; time += 100) {
    counters.capture([log]);
    await clock.pass(100);
  }
  await clock.pass(WRITE_MS);

  assert.equal(writes, 3);
  assert.deepEqual(written().captured, { console: 20 });
});

test('the next life of the worker continues the count', async () => {
  const { area, counters } = opened();
  counters.capture([log]);
  await turn();

  const next = opened(area).counters;
  next.capture([log]);
  await next.restore();

  assert.deepEqual(next.counts.captured, { console: 2 });
});

test('after a reset they begin again, and have the time of it', async () => {
  const { counters, clock, written } = opened();
  counters.capture([log]);
  await clock.pass(5000);

  counters.reset();
  await turn();

  assert.deepEqual(written(), { since: 5000, captured: {}, dropped: {} });
});
