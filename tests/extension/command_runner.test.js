import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../extension/src/background/failure.ts';
import { CommandRunner, MESSAGE_BYTES } from '../../extension/src/background/link/command_runner.ts';
import { LEDGER_LIMITS, Ledger } from '../../extension/src/background/link/ledger.ts';
import { FakeClock, idOf, turn } from './fakes.js';

/** A desk with two commands whose work the test ends: `work` acts, `read` only reads. */
function opened({ ledger = new Ledger(), commands = {}, isAlive = async () => true } = {}) {
  const clock = new FakeClock();
  const sent = [];
  const works = [];
  let isCut = false;
  const cut = (on) => (isCut = on);
  const asked = (query, signal) => new Promise((resolve, reject) => works.push({ query, signal, resolve, reject }));
  const work = (query, signal, _client, begin) => {
    begin();
    return asked(query, signal);
  };
  const desk = new CommandRunner({
    commands: { work, read: asked, ...commands },
    ledger,
    write: () => {},
    later: () => {},
    beforeResult: () => sent.push({ type: 'before' }),
    isAlive,
    send: (text) => !isCut && sent.push(JSON.parse(text)) > 0,
    clock,
  });
  const results = () => sent.filter(({ type }) => type === 'result');
  return { desk, clock, sent, works, results, ledger, cut };
}

const command = (number, more = {}) => ({
  type: 'command',
  id: idOf(number),
  name: 'work',
  arguments: {},
  timeout_ms: 1000,
  ...more,
});

const query = (number) => command(number, { name: 'read' });

test('a command that takes its time is acknowledged, once, before its result', async () => {
  const { desk, clock, works, sent } = opened();
  const taken = desk.take(command(1));

  await clock.pass(99);
  const before = sent.length;
  await clock.pass(1);
  const then = sent.length;
  works[0].resolve('done');
  await taken;
  await clock.pass(5000);

  assert.deepEqual([before, then], [0, 1]);
  assert.deepEqual(sent[0], { type: 'acknowledge', id: idOf(1) });
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['acknowledge', 'before', 'result'],
  );
});

test('what a worker that is being ended may have failed in or gone on without is not sent', async () => {
  const { desk, clock, works, results, ledger } = opened({ isAlive: async () => false });
  const commands = [command(1), query(2), query(3), query(4), command(5)].map((one) => desk.take(one));
  works[0].reject(new Error('No SW'));
  works[1].reject(new Failure('page_navigated', 'No SW'));
  works[2].resolve('read');
  await clock.pass(100);
  works[3].resolve({ warnings: ['page_navigated'] });
  works[4].resolve('done');
  await Promise.all(commands);

  assert.deepEqual(results(), [
    { type: 'result', id: idOf(3), result: 'read' },
    { type: 'result', id: idOf(5), result: 'done' },
  ]);
  assert.deepEqual(
    ledger.unacknowledged().map(({ id }) => id),
    [idOf(5)],
  );
});

test('what only reads is in no ledger, never sent again by itself, and run again if it is asked again', async () => {
  const { desk, works, results, ledger } = opened();
  const first = desk.take(query(1));
  works[0].resolve('one');
  await first;
  desk.resend();
  desk.cancel(idOf(1));
  const second = desk.take(query(1));
  works[1].resolve('two');
  await second;

  assert.deepEqual(
    results().map(({ result }) => result),
    ['one', 'two'],
  );
  assert.equal(ledger.recall(idOf(1)), undefined);
});

test('what was read while there was no connection is sent by the next one', async () => {
  const { desk, works, results, cut } = opened();
  const taken = desk.take(query(1));
  cut(true);
  works[0].resolve('long awaited');
  await taken;
  const before = results().length;
  cut(false);

  desk.resend();
  await desk.take(query(1));

  assert.deepEqual([before, works.length], [0, 1]);
  assert.deepEqual(
    results().map(({ result }) => result),
    ['long awaited', 'long awaited'],
  );
});

test('a query that is cancelled ends, and is not answered; it may be asked again', async () => {
  const { desk, works, results, ledger } = opened();
  const first = desk.take(query(1));
  desk.cancel(idOf(1));
  works[0].resolve('late');
  await first;
  const second = desk.take(query(1));
  works[1].resolve('again');
  await second;

  assert.equal(works[0].signal.aborted, true);
  assert.deepEqual(
    results().map(({ result }) => result),
    ['again'],
  );
  assert.equal(ledger.recall(idOf(1)), undefined);
});

test('what has to be there before a result is sent right before it', async () => {
  const { desk, works, sent } = opened();
  const taken = desk.take(command(1));

  works[0].resolve('done');
  await taken;

  assert.deepEqual(
    sent.map(({ type }) => type),
    ['before', 'result'],
  );
});

test('what a command comes to is its result', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1, { arguments: { selector: 'a' } }));

  works[0].resolve({ matches: [] });
  await taken;

  assert.deepEqual(works[0].query, { selector: 'a' });
  assert.deepEqual(results(), [{ type: 'result', id: idOf(1), result: { matches: [] } }]);
});

test('a failure is answered as it was thrown', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));

  works[0].reject(new Failure('tab_not_found', 'No tab.', { details: { tab_id: 7 }, recovery: 'List them.' }));
  await taken;

  const error = { code: 'tab_not_found', message: 'No tab.', details: { tab_id: 7 }, recovery: 'List them.' };
  assert.deepEqual(results(), [{ type: 'result', id: idOf(1), error }]);
});

test('a defect is answered, too', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));

  works[0].reject(new TypeError('x is not a function'));
  await taken;

  assert.equal(results()[0].error.code, 'internal_error');
});

test('an unknown command is answered with what to do [structure-015]', async () => {
  const { desk, results } = opened();

  for (const name of ['fly', 'constructor']) await desk.take(command(name.length, { name }));

  assert.deepEqual(
    results().map(({ error }) => error.code),
    ['not_found', 'not_found'],
  );
});

test('a command that is late is answered with deadline_exceeded, at its time and not before', async () => {
  const { desk, clock, works, results } = opened();
  desk.take(command(1, { timeout_ms: 500 }));

  await clock.pass(499);
  const before = results().length;
  await clock.pass(1);

  assert.equal(before, 0);
  assert.equal(results()[0].error.code, 'deadline_exceeded');
  assert.equal(works[0].signal.aborted, true);
});

test('a command in time leaves no timer that could end it later', async () => {
  const { desk, clock, works, results } = opened();
  const taken = desk.take(command(1));
  works[0].resolve(1);
  await taken;

  await clock.pass(5000);

  assert.equal(results().length, 1);
  assert.equal(works[0].signal.aborted, false);
});

test('a command under way is not started twice', async () => {
  const { desk, works, results } = opened();
  desk.take(command(1));
  desk.take(command(1));

  works[0].resolve('once');
  await turn();

  assert.equal(works.length, 1);
  assert.equal(results().length, 1);
});

test('a command that is done is answered from memory', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));
  works[0].resolve('once');
  await taken;

  await desk.take(command(1));

  assert.equal(works.length, 1);
  assert.deepEqual(results()[0], results()[1]);
});

test('a command whose answer was too large to keep is answered with outcome_unknown', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));
  works[0].resolve('x'.repeat(LEDGER_LIMITS.answerBytes));
  await taken;
  desk.acknowledged(idOf(1));

  await desk.take(command(1));

  assert.equal(works.length, 1);
  assert.equal(results()[1].error.code, 'outcome_unknown');
});

test('an answer that no connection could carry becomes payload_too_large', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));
  works[0].resolve('é'.repeat(MESSAGE_BYTES / 2));
  await taken;

  assert.equal(results()[0].error.code, 'payload_too_large');
});

test('where the command has acted, it is not asked for again [faults-015]', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1, { client: { id: 'a', name: 'b' } }));
  await turn();
  works[0].resolve('é'.repeat(MESSAGE_BYTES / 2));
  await taken;

  assert.match(results()[0].error.recovery, /^It was done: do not repeat it\./);
});

test('a cancelled command stops and answers nothing, then or later', async () => {
  const { desk, clock, works, results } = opened();
  const taken = desk.take(command(1));

  desk.cancel(idOf(1));
  works[0].resolve('too late');
  await taken;
  await clock.pass(5000);
  desk.resend();

  assert.equal(works[0].signal.aborted, true);
  assert.deepEqual(results(), []);
});

test('a cancelled command is not done again', async () => {
  const { desk, works, results } = opened();
  desk.take(command(1));
  desk.cancel(idOf(1));
  await turn();

  await desk.take(command(1));

  assert.equal(works.length, 1);
  assert.equal(results()[0].error.code, 'outcome_unknown');
});

test('cancelling a command that is done takes its answer back', async () => {
  const { desk, works, results } = opened();
  const taken = desk.take(command(1));
  works[0].resolve('done');
  await taken;

  desk.cancel(idOf(1));
  desk.resend();

  assert.equal(results().length, 1);
});

test('cancelling what never came does nothing', () => {
  const { desk, sent } = opened();

  desk.cancel(idOf(9));

  assert.deepEqual(sent, []);
});

test('after a reconnect, what is unacknowledged is sent again, and nothing else', async () => {
  const { desk, works, results } = opened();
  const taken = [1, 2].map((number) => desk.take(command(number)));
  works.forEach(({ resolve }, number) => resolve(number));
  await Promise.all(taken);
  desk.acknowledged(idOf(1));

  desk.resend();

  assert.deepEqual(
    results().map(({ id }) => id),
    [idOf(1), idOf(2), idOf(2)],
  );
});

test('what a former life answered and lost for its size is sent again as outcome_unknown', () => {
  const ledger = new Ledger([{ id: idOf(1), text: null, bytes: 0, acknowledged: false }]);
  const { desk, results } = opened({ ledger });

  desk.resend();

  assert.equal(results()[0].error.code, 'outcome_unknown');
});

test('a command with a client that only reads is not remembered before it ends: another worker may run it [analyze-009]', async () => {
  const ledger = new Ledger();
  const known = [];
  const commands = { analyze: async () => known.push(ledger.recall(idOf(1))) };
  const { desk } = opened({ ledger, commands });

  await desk.take(command(1, { name: 'analyze', client: { id: 'a', name: 'ann' } }));

  assert.deepEqual(known, [undefined]);
  assert.equal(ledger.recall(idOf(1)), undefined);
});

test('a command that acts is remembered before it begins', async () => {
  const ledger = new Ledger();
  const known = [];
  const act = async (_query, _signal, _client, begin) => {
    await begin();
    known.push(ledger.recall(idOf(1))?.text);
  };
  const { desk } = opened({ ledger, commands: { act } });

  await desk.take(command(1, { name: 'act', client: { id: 'a', name: 'ann' } }));

  assert.deepEqual(known, [null]);
  assert.notEqual(ledger.recall(idOf(1)).text, null);
});

test('a command that acts is not done again after the worker died in the middle', async () => {
  const ledger = new Ledger();
  ledger.strike(idOf(1));
  let done = 0;
  const { desk, results } = opened({ ledger, commands: { act: async () => done++ } });

  await desk.take(command(1, { name: 'act', client: { id: 'a', name: 'ann' } }));

  assert.deepEqual([done, results()[0].error.code], [0, 'outcome_unknown']);
});
