import assert from 'node:assert/strict';
import { test } from 'node:test';

const area = () => {
  const kept = {};
  return { get: async (key) => ({ [key]: kept[key] }), set: async (values) => Object.assign(kept, values) };
};
globalThis.chrome = { ...globalThis.chrome, storage: { session: area() } };
const { Snapshots, snapshotOf } = await import('../../extension/src/background/analyze/memory_snapshots.ts');

const HEAP = { used: 10, total: 20, limit: 30 };

test('without the debugger the page counts its heap, and what only the debugger counts is null', () => {
  const counted = { detached: 4, listeners: 5, heap: { used: 8, total: 9 } };
  const { at, ...alone } = snapshotOf({ heap: HEAP, elements: 3 }, undefined);
  const both = snapshotOf({ heap: HEAP, elements: 3 }, counted);

  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const page = { heap: HEAP, elements: 3, detached: null, listeners: null, source: 'performance.memory' };
  assert.deepEqual(page, alone);
  assert.deepEqual(
    [{ used: 8, total: 9, limit: 30 }, 4, 5, 'debugger'],
    [both.heap, both.detached, both.listeners, both.source],
  );
});

test('a browser that shows no memory is an error [000-150, 000-151, 000-152, 000-160, 000-175]', () => {
  assert.throws(
    () => snapshotOf({ elements: 3 }, undefined),
    (thrown) => thrown.fault.code === 'memory_api_unavailable',
  );
});

test('the last snapshot of a tab is found, and each by its name until the tab is closed', async () => {
  const snapshots = new Snapshots(area());
  const one = { at: '1' };
  const two = { at: '2' };
  await snapshots.keep(1, 'start', one);
  await snapshots.keep(1, '', two);

  assert.deepEqual([two, one], [await snapshots.find(1, ''), await snapshots.find(1, 'start')]);
  assert.deepEqual([undefined, undefined], [await snapshots.find(1, 'other'), await snapshots.find(2, '')]);
  assert.deepEqual(['start'], await snapshots.names(1));
  await snapshots.keep(1, 'start', two);
  assert.deepEqual(two, await snapshots.find(1, 'start'));
  await snapshots.forget(1);
  assert.equal(undefined, await snapshots.find(1, ''));
});
