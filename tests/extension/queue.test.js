import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQueue } from '../../extension/src/content/capture/queue.ts';

function queueOf(kept, clock = { now: 5 }) {
  let number = 0;
  return makeQueue(
    '0123abcd',
    () => String(++number),
    () => clock.now,
    kept,
  );
}

const line = (text) => ({ type: 'console', ts: 1, level: 'log', args: [text] });

function add(queue, event, size = 10, page = '') {
  queue.add(event, size, page);
  queue.cut();
}

const ids = (chunks) => chunks.map(({ id }) => id);

test('a chunk has what was queued, in order, and the address that the first had', () => {
  const queue = queueOf();
  queue.add(line('a'), 10, 'http://one/');
  queue.add(line('b'), 10, 'http://one/');
  queue.cut();
  queue.cut();

  assert.deepEqual(queue.waiting(), [
    { id: '1', load: '0123abcd', page: 'http://one/', events: [line('a'), line('b')] },
  ]);
});

test('a chunk that is on its way is not given again, and is kept until it is settled', () => {
  const queue = queueOf();
  add(queue, line('a'));
  const first = queue.begin();
  add(queue, line('b'));
  const second = queue.begin();

  queue.settle(['1']);

  assert.deepEqual([ids(first), ids(second), ids(queue.waiting())], [['1'], ['2'], ['2']]);
});

test('what did not arrive is sent again, in its order and under its ids', () => {
  const queue = queueOf();
  for (const text of ['a', 'b']) add(queue, line(text));
  queue.begin();
  add(queue, line('c'));

  queue.fail();

  assert.deepEqual(ids(queue.begin()), ['1', '2', '3']);
});

test('64 KB are enough for a chunk', () => {
  const queue = queueOf();
  queue.add(line('a'), 64 * 1024 - 1, '');
  assert.equal(queue.full, false);

  queue.add(line('b'), 1, '');

  assert.equal(queue.full, true);
});

test('beyond its room the oldest chunks are dropped, counted by type, and reported with the next', () => {
  const queue = queueOf(100);
  const dropped = { type: 'dropped', ts: 1, of: 'websocket', count: 7, why: 'rate' };
  queue.add(line('a'), 30, '');
  queue.add(dropped, 30, '');
  queue.cut();
  add(queue, line('b'), 60);
  add(queue, line('c'), 10);

  assert.deepEqual(ids(queue.waiting()), ['2', '3']);
  assert.deepEqual(queue.waiting().at(-1).events, [
    { type: 'dropped', ts: 5, of: 'websocket', count: 7, why: 'rate' },
    { type: 'dropped', ts: 5, of: 'console', count: 1, why: 'space' },
    line('c'),
  ]);
});

test('what is on its way is never dropped, nor counted as lost', () => {
  const queue = queueOf(100);
  add(queue, line('a'), 90);
  queue.begin();
  add(queue, line('b'), 60);
  queue.settle(['1']);
  add(queue, line('c'), 10);

  assert.deepEqual(
    queue.waiting().flatMap(({ events }) => events),
    [line('b'), line('c')],
  );
});

test('beyond the rate events are counted, and reported with the next chunk', () => {
  const clock = { now: 0 };
  const queue = queueOf(undefined, clock);
  const passed = Array.from({ length: 2_100 }, () => queue.admits('timing')).filter(Boolean).length;
  clock.now = 10;
  const later = Array.from({ length: 20 }, () => queue.admits('timing')).filter(Boolean).length;
  add(queue, line('a'));

  assert.deepEqual([passed, later], [2_000, 10]);
  assert.deepEqual(queue.waiting()[0].events[0], { type: 'dropped', ts: 10, of: 'timing', count: 110, why: 'rate' });
});

test('what is cleared is gone', () => {
  const queue = queueOf();
  add(queue, line('a'));
  queue.add(line('b'), 10, '');

  queue.clear();
  queue.cut();

  assert.deepEqual([queue.full, queue.waiting().length], [false, 0]);
});
