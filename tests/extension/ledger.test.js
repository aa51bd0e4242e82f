import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEDGER_LIMITS, Ledger } from '../../extension/src/background/link/ledger.ts';
import { idOf } from './fakes.js';

const filled = (count, bytes = 10) => {
  const ledger = new Ledger();
  const changes = Array.from({ length: count }, (_, n) => ledger.enter(idOf(n), `answer ${n}`, bytes));
  return { ledger, last: changes.at(-1) };
};

test('an answer is remembered until and after its acknowledgement', () => {
  const { ledger } = filled(1);

  ledger.acknowledge(idOf(0));

  assert.equal(ledger.recall(idOf(0)).text, 'answer 0');
  assert.deepEqual(ledger.unacknowledged(), []);
});

test('unacknowledged answers come oldest first', () => {
  const { ledger } = filled(3);

  ledger.acknowledge(idOf(1));

  assert.deepEqual(
    ledger.unacknowledged().map(({ id }) => id),
    [idOf(0), idOf(2)],
  );
});

test('the hundred-and-first command makes the first one forgotten', () => {
  const { ledger, last } = filled(LEDGER_LIMITS.commands + 1);

  assert.deepEqual(last.forgotten, [idOf(0)]);
  assert.equal(ledger.recall(idOf(0)), undefined);
  assert.equal(ledger.recall(idOf(1)).text, 'answer 1');
});

test('an answer that is too large is kept until it is acknowledged, then only that there was one', () => {
  const { ledger } = filled(1, LEDGER_LIMITS.answerBytes + 1);
  const before = ledger.recall(idOf(0)).text;

  ledger.acknowledge(idOf(0));

  assert.equal(before, 'answer 0');
  assert.deepEqual(ledger.recall(idOf(0)), { id: idOf(0), text: null, bytes: 0, acknowledged: true });
});

test('when all answers together are too many bytes, the oldest that the bridge has are emptied', () => {
  const fitting = LEDGER_LIMITS.allBytes / LEDGER_LIMITS.answerBytes;
  const { ledger } = filled(fitting, LEDGER_LIMITS.answerBytes);
  ledger.acknowledge(idOf(1));
  ledger.acknowledge(idOf(2));

  const { changed } = ledger.enter(idOf(fitting), 'one more', 10);

  assert.deepEqual(
    changed.map(({ id }) => id),
    [idOf(fitting), idOf(1)],
  );
  assert.equal(ledger.recall(idOf(0)).text, 'answer 0');
  assert.equal(ledger.recall(idOf(1)).text, null);
  assert.equal(ledger.recall(idOf(2)).text, 'answer 2');
});

test('a second acknowledgement, and one of an unknown command, change nothing', () => {
  const { ledger } = filled(1);
  ledger.acknowledge(idOf(0));

  assert.deepEqual(ledger.acknowledge(idOf(0)), { changed: [], forgotten: [] });
  assert.deepEqual(ledger.acknowledge(idOf(7)), { changed: [], forgotten: [] });
});

test('a command that was abandoned is remembered, and has nothing to send', () => {
  const ledger = new Ledger();

  ledger.strike(idOf(0));

  assert.equal(ledger.recall(idOf(0)).text, null);
  assert.deepEqual(ledger.unacknowledged(), []);
});
