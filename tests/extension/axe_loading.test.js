import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeLoading, RETRY_MS, TRANSITIONS } from '../../extension/src/background/analyze/axe_loading.ts';

/** A loader with its clock, and an injection that ends as the test decides. */
function opened() {
  const clock = { now: 1000 };
  const calls = [];
  const loading = new AxeLoading(() => clock.now);
  const ensure = (document = 'a') =>
    loading.ensure(document, () => new Promise((done, fail) => calls.push({ document, done, fail })));
  return { clock, calls, loading, ensure };
}

test('axe goes from unloaded to loaded, and is not injected again [000-039, 000-040, 000-044]', async () => {
  const { calls, loading, ensure } = opened();
  assert.equal(loading.stateOf('a'), 'UNLOADED');

  const first = ensure();
  assert.equal(loading.stateOf('a'), 'LOADING');
  calls[0].done();
  await first;
  await ensure();

  assert.deepEqual([loading.stateOf('a'), calls.length], ['LOADED', 1]);
});

test('while it loads every caller waits for the one injection, and fails with it [000-041, 000-045, 000-046]', async () => {
  const { calls, loading, ensure } = opened();
  const waiting = [ensure(), ensure(), ensure()];
  const failed = waiting.map((one) => assert.rejects(one, { message: 'refused' }));
  calls[0].fail(new Error('refused'));
  await Promise.all(failed);

  await assert.rejects(ensure(), { message: 'refused' });
  assert.deepEqual([loading.stateOf('a'), calls.length], ['FAILED', 1]);
});

test('5 s after a failure it is tried again [000-043]', async () => {
  const { clock, calls, loading, ensure } = opened();
  const first = ensure();
  calls[0].fail(new Error('refused'));
  await assert.rejects(first);
  clock.now += RETRY_MS - 1;
  await assert.rejects(ensure());
  clock.now += 1;

  const again = ensure();
  calls[1].done();
  await again;

  assert.deepEqual([RETRY_MS, loading.stateOf('a'), calls.length], [5000, 'LOADED', 2]);
});

test('each document has its own state, and one that has axe already is loaded', async () => {
  const { calls, loading, ensure } = opened();
  loading.found('b');
  await ensure('b');
  ensure('a');

  assert.deepEqual([calls.map(({ document }) => document), loading.stateOf('b')], [['a'], 'LOADED']);
});

test('the table has the four states of the seed, and nothing leaves LOADED', () => {
  assert.deepEqual(Object.keys(TRANSITIONS), ['UNLOADED', 'LOADING', 'LOADED', 'FAILED']);
  assert.deepEqual(TRANSITIONS.LOADED, {});
});

test('of documents that were left only the last are remembered', async () => {
  const { loading } = opened();
  for (let at = 0; at < 600; at++) loading.found(String(at));

  assert.deepEqual([loading.stateOf('0'), loading.stateOf('599')], ['UNLOADED', 'LOADED']);
});
