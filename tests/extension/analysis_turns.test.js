import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Results } from '../../extension/src/background/analyze/results.ts';
import { inTurn } from '../../extension/src/background/analyze/turns.ts';
import { turn } from './fakes.js';

const SOON = 10_000;
const until = (ms) => performance.now() + ms;

test('analyses of one tab run one after another, those of two tabs side by side [000-142, 000-144, analyze-008]', async () => {
  const steps = [];
  const ends = [];
  const run = (name) => () => (steps.push(name), new Promise((done) => ends.push(done)));
  const first = inTurn(1, until(SOON), run('a'));
  const second = inTurn(1, until(SOON), run('b'));
  const other = inTurn(2, until(SOON), run('c'));
  await turn();
  assert.deepEqual(steps, ['a', 'c']);

  ends[0]('done');
  assert.equal(await first, 'done');
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(steps, ['a', 'c', 'b']);

  for (const end of ends) end();
  await Promise.all([second, other]);
});

test('a turn that does not come in time is a concurrent analysis, and the next one is not held up [000-178, 000-145]', async () => {
  let end;
  const first = inTurn(3, until(SOON), () => new Promise((done) => (end = done)));
  await assert.rejects(
    inTurn(3, until(20), async () => assert.fail('its time is over')),
    ({ fault }) => fault.code === 'concurrent_analysis',
  );
  end('first');
  assert.equal(await first, 'first');
  assert.equal(await inTurn(3, until(SOON), async () => 'next'), 'next');
});

test('what still runs in the page holds the turn, though its caller is answered [analyze-008]', async () => {
  let end;
  const running = new Promise((done) => (end = done));
  assert.equal(await inTurn(4, until(SOON), async (hold) => (hold(running), 'late')), 'late');
  const second = inTurn(4, until(SOON), async () => 'second');
  const winner = await Promise.race([second, new Promise((done) => setTimeout(done, 20, 'waits'))]);
  assert.equal(winner, 'waits');

  end();
  assert.equal(await second, 'second');
});

test('a result is given again for as long as it may be, and the last ones alone [analyze-010]', () => {
  let now = 0;
  const results = new Results(() => now);
  results.keep('a', 1);
  now = 9_999;
  assert.equal(results.get('a', 10_000), 1);
  now = 10_000;
  assert.deepEqual(
    [results.get('a', 10_000), results.get('a', 30_000), results.get('a', 0)],
    [undefined, 1, undefined],
  );

  for (let at = 0; at < 30; at++) results.keep(String(at), at);
  assert.deepEqual(
    [results.get('a', SOON), results.get('0', SOON), results.get('29', SOON)],
    [undefined, undefined, 29],
  );
});
