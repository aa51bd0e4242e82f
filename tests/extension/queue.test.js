import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const file = new URL('../../extension/content/queue.js', import.meta.url);
const { makeQueue, readEvent, bounded, isCapture } = runInNewContext(
  `${readFileSync(file, 'utf8')}; ({ makeQueue, readEvent, bounded, isCapture })`,
);

/** Plain values of this realm: those of another are never deeply equal. */
const plain = (value) => JSON.parse(JSON.stringify(value));

function queueOf(kept) {
  let number = 0;
  return makeQueue('0123abcd', () => String(++number), () => 5, kept);
}

const line = (text) => ({ type: 'console', ts: 1, level: 'log', args: [text] });

test('a chunk has what was queued, in order, and the address that the first had', () => {
  const queue = queueOf();
  queue.add(line('a'), 10, 'http://one/');
  queue.add(line('b'), 10, 'http://one/');

  assert.deepEqual(plain(queue.cut()), { id: '1', load: '0123abcd', page: 'http://one/', events: [line('a'), line('b')] });
  assert.equal(queue.cut(), undefined);
});

test('a chunk waits until it has its reply', () => {
  const queue = queueOf();
  for (const text of ['a', 'b']) {
    queue.add(line(text), 10, '');
    queue.cut();
  }

  queue.settle(['1']);

  assert.deepEqual(plain(queue.waiting().map(({ id }) => id)), ['2']);
});

test('64 KB are enough for a chunk', () => {
  const queue = queueOf();
  queue.add(line('a'), 64 * 1024 - 1, '');
  assert.equal(queue.full, false);

  queue.add(line('b'), 1, '');

  assert.equal(queue.full, true);
});

test('beyond its room the oldest chunks are dropped, counted by type, and told with the next', () => {
  const queue = queueOf(100);
  const dropped = { type: 'dropped', ts: 1, of: 'websocket', count: 7, why: 'rate' };
  queue.add(line('a'), 30, '');
  queue.add(dropped, 30, '');
  queue.cut();
  queue.add(line('b'), 60, '');
  queue.cut();
  queue.add(line('c'), 10, '');

  const chunk = queue.cut();

  assert.deepEqual(plain(queue.waiting().map(({ id }) => id)), ['2', '3']);
  assert.deepEqual(plain(chunk.events), [
    { type: 'dropped', ts: 5, of: 'console', count: 1, why: 'space' },
    { type: 'dropped', ts: 5, of: 'websocket', count: 7, why: 'space' },
    line('c'),
  ]);
});

test('what is cleared is gone', () => {
  const queue = queueOf();
  queue.add(line('a'), 10, '');
  queue.cut();
  queue.add(line('b'), 10, '');

  queue.clear();

  assert.deepEqual([queue.empty, queue.waiting().length, queue.cut()], [true, 0, undefined]);
});

for (const said of ['', 'x', '1', 'null', '[]', '{}', '{"type":"state"}', '{"type":"navigation"}', '{"type":["console"]}', undefined, {}]) {
  test(`${JSON.stringify(said)} is no event`, () => {
    assert.equal(readEvent(said), undefined);
  });
}

test('an event of a known type is taken as it is', () => {
  assert.deepEqual(plain(readEvent(JSON.stringify(line('a')))), line('a'));
});

test('a string is cut at 64 KB, and half a surrogate pair replaced', () => {
  const [long] = readEvent(JSON.stringify(line('x'.repeat(70_000)))).args;
  const [half] = readEvent(JSON.stringify(line('a\ud800'))).args;

  assert.deepEqual([long.length, half], [64 * 1024, 'a\ufffd']);
});

test('names are bounded as values are', () => {
  assert.deepEqual(plain(bounded({ 'a\udc00': [{ b: 'c\ud800' }, null, 1, true] })), { 'a\ufffd': [{ b: 'c\ufffd' }, null, 1, true] });
});

test('what is to be captured is three answers', () => {
  assert.equal(isCapture({ on: true, websockets: false, bodies: true }), true);
  for (const said of [undefined, null, 1, {}, { on: 1, websockets: true, bodies: true }]) assert.equal(isCapture(said), false);
});
