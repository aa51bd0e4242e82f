import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEDGER_LIMITS } from '../../extension/src/background/link/ledger.ts';
import { LedgerStore } from '../../extension/src/background/link/ledger_store.ts';
import { FakeArea, idOf, turn } from './fakes.js';

const opened = async (area) => {
  const ledgerStore = new LedgerStore(area);
  const ledger = await ledgerStore.restore();
  const enter = (number, bytes = 10) => ledgerStore.write(ledger.enter(idOf(number), `answer ${number}`, bytes));
  return { ledgerStore, ledger, enter };
};

test('the next life of the worker remembers what was answered, in order, and what was acknowledged', async () => {
  const area = new FakeArea();
  const { ledgerStore, ledger, enter } = await opened(area);
  for (const number of [3, 1, 2]) await enter(number);
  await ledgerStore.write(ledger.acknowledge(idOf(1)));

  const next = (await opened(area)).ledger;

  assert.deepEqual(
    next.unacknowledged().map(({ text }) => text),
    ['answer 3', 'answer 2'],
  );
  assert.equal(next.recall(idOf(1)).text, 'answer 1');
});

test('[mutate-006] the order holds over several lives', async () => {
  const area = new FakeArea();
  for (const number of [9, 5, 7]) await (await opened(area)).enter(number);

  const last = (await opened(area)).ledger;

  assert.deepEqual(
    last.unacknowledged().map(({ id }) => id),
    [idOf(9), idOf(5), idOf(7)],
  );
});

test('of an answer that is too large, the next life knows only that there was one', async () => {
  const area = new FakeArea();
  const { ledger, enter } = await opened(area);
  await enter(1, LEDGER_LIMITS.answerBytes + 1);

  const next = (await opened(area)).ledger;

  assert.equal(ledger.recall(idOf(1)).text, 'answer 1');
  assert.deepEqual(next.unacknowledged(), [{ id: idOf(1), text: null, bytes: 0, acknowledged: false }]);
});

test('what is forgotten leaves the area, twenty at a time', async () => {
  const area = new FakeArea();
  const { enter } = await opened(area);

  for (let number = 0; number < LEDGER_LIMITS.commands + 19; number++) await enter(number);
  const before = Object.keys(area.items).length;
  await enter(LEDGER_LIMITS.commands + 19);

  assert.deepEqual([before, Object.keys(area.items).length], [LEDGER_LIMITS.commands + 19, LEDGER_LIMITS.commands]);
  assert.equal((await opened(area)).ledger.recall(idOf(19)), undefined);
  assert.notEqual((await opened(area)).ledger.recall(idOf(20)), undefined);
});

test('an acknowledgement is written with the next write, or a second later', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const area = new FakeArea();
  const { ledgerStore, ledger, enter } = await opened(area);
  for (const number of [1, 2]) await enter(number);
  const open = async () => (await opened(area)).ledger.unacknowledged().map(({ id }) => id);

  ledgerStore.later(ledger.acknowledge(idOf(1)));
  const before = await open();
  await enter(3);
  const withNext = await open();
  ledgerStore.later(ledger.acknowledge(idOf(2)));
  context.mock.timers.tick(1_000);
  await turn();

  assert.deepEqual([before, withNext, await open()], [[idOf(1), idOf(2)], [idOf(2), idOf(3)], [idOf(3)]]);
});

test('a full area costs nothing but the ledger after death', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const area = new FakeArea();
  const { ledger, enter } = await opened(area);
  area.full = true;

  await enter(1);

  assert.equal(ledger.recall(idOf(1)).text, 'answer 1');
  assert.equal(console.warn.mock.callCount(), 1);
});

test('what others keep in the area is left alone', async () => {
  const area = new FakeArea();
  area.items = { other: 1 };

  const { ledger } = await opened(area);

  assert.deepEqual(ledger.unacknowledged(), []);
});
