// A connection that never answers is waited for no more, and one that does is waited for each time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocketTurns } from '../../extension/src/content/capture/socket_turns.ts';

/** Let a page send and receive at these moments, `[ms, connection, direction, bytes]`; return its turns, and set the clock. */
function turns(t, messages) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const made = new SocketTurns();
  for (const [at, id, direction, size = 0] of messages) {
    now = at;
    made.took(id, direction, size);
  }
  return made;
}

/** What is sent at this moment, and an answer of these messages, `[ms after it, bytes]`. */
function answered(at, ...parts) {
  return [[at, 'a', 'outgoing', 600], ...parts.map(([later, size]) => [at + later, 'a', 'incoming', size])];
}

/** So many messages a second apart, each answered after `answerMs`, or never. */
function talk(id, count, answerMs) {
  return Array.from({ length: count }, (_, number) => 1000 * (number + 1)).flatMap((at) => [
    [at, id, 'outgoing'],
    ...(answerMs === undefined ? [] : [[at + answerMs, id, 'incoming']]),
  ]);
}

test('what was sent is waited for until it is answered', (t) => {
  assert.deepEqual(turns(t, [[10, 'a', 'outgoing']]).since(5), { answered: 0, awaits: true, isPartial: false });
  assert.deepEqual(
    turns(t, [
      [10, 'a', 'outgoing'],
      [30, 'a', 'incoming'],
    ]).since(5),
    { answered: 30, awaits: false, isPartial: false },
  );
  assert.deepEqual(
    turns(t, [
      [10, 'a', 'outgoing'],
      [30, 'b', 'incoming'],
    ]).since(5),
    { answered: 0, awaits: true, isPartial: false },
  );
});

test('what was sent before the action is none of it', (t) => {
  assert.deepEqual(
    turns(t, [
      [10, 'a', 'outgoing'],
      [30, 'a', 'incoming'],
    ]).since(20),
    { answered: 0, awaits: false, isPartial: false },
  );
});

test('a connection that never answers is waited for three times more', (t) => {
  assert.deepEqual(
    [3, 4, 9].map((count) => turns(t, talk('a', count)).since(1000 * count).awaits),
    [true, false, false],
  );
});

test('an answer that comes later than an action is waited for is none', (t) => {
  assert.equal(turns(t, talk('a', 4, 700)).since(4000).awaits, false);
});

test('a connection that answers again is waited for again, and another one all the time', (t) => {
  const silent = talk('a', 6);
  const answer = [
    [6100, 'a', 'incoming'],
    [7000, 'a', 'outgoing'],
  ];
  assert.equal(turns(t, [...silent, ...answer]).since(6500).awaits, true);
  assert.equal(turns(t, [...silent, [6100, 'b', 'outgoing']]).since(6050).awaits, true);
});

test('messages of one moment are one turn', (t) => {
  const burst = Array.from({ length: 50 }, (_, number) => [10 + number, 'a', 'outgoing']);
  assert.equal(turns(t, burst).since(5).awaits, true);
});

test('of many connections the last are known', (t) => {
  const many = Array.from({ length: 500 }, (_, number) => [10 + number, String(number), 'outgoing']);
  const made = turns(t, many);
  assert.equal(made.since(489).awaits, true);
  assert.equal(made.since(511).awaits, false);
});

test('a stream that nothing answers is a silent one, though it never pauses', (t) => {
  const stream = Array.from({ length: 40 }, (_, number) => [100 * (number + 1), 'a', 'outgoing']);
  assert.equal(turns(t, stream).since(3900).awaits, false);
  assert.equal(turns(t, stream.slice(0, 10)).since(900).awaits, true);
});

const DRAWN = answered(1000, [20, 300], [30, 120], [40, 90], [41, 44]);

test('an answer of fewer messages than before is waited for, a quarter of a second from message to message', (t) => {
  const begun = answered(2000, [20, 310], [30, 125]);
  const made = turns(t, [...DRAWN, ...begun]);
  assert.deepEqual(made.since(1990), { answered: 2030, awaits: false, isPartial: true });
  performance.now.mock.mockImplementation(() => 2279);
  assert.equal(made.since(1990).isPartial, true);
  performance.now.mock.mockImplementation(() => 2280);
  assert.equal(made.since(1990).isPartial, false);
});

test('an answer is whole with the message that ended an earlier one, or with as many', (t) => {
  assert.equal(turns(t, [...DRAWN, ...answered(2000, [20, 310], [30, 44])]).since(1990).isPartial, false);
  const asMany = answered(2000, [20, 310], [30, 125], [40, 95], [50, 46]);
  assert.equal(turns(t, [...DRAWN, ...asMany]).since(1990).isPartial, false);
});

test('what ended a long answer does not end one of less than half as many messages, until it has', (t) => {
  const long = answered(1000, [20, 130], [22, 2], [24, 120], [25, 130], [26, 2], [27, 2]);
  const short = answered(2000, [9, 75], [9, 2]);
  assert.equal(turns(t, [...long, ...short]).since(1990).isPartial, true);
  assert.equal(turns(t, [...long, ...short, ...answered(3000, [9, 75], [9, 2])]).since(2990).isPartial, false);
});

test('the first answer of a connection, and one message for one, are whole at once', (t) => {
  assert.equal(turns(t, answered(1000, [20, 300])).since(990).isPartial, false);
  assert.equal(turns(t, [...answered(1000, [20, 300]), ...answered(2000, [20, 310])]).since(1990).isPartial, false);
});

test('what is sent soon after a whole answer has an answer of its own', (t) => {
  const next = answered(2100, [20, 310], [30, 125]);
  const made = turns(t, [...DRAWN, ...answered(2000, [20, 310], [30, 44]), ...next]);
  assert.equal(made.since(2090).isPartial, true);
});

test('what is sent while an answer comes is part of its turn', (t) => {
  const acknowledged = [
    ...answered(2000, [20, 310]),
    [2025, 'a', 'outgoing', 5],
    [2030, 'a', 'incoming', 120],
    [2040, 'a', 'incoming', 95],
    [2041, 'a', 'incoming', 46],
  ];
  assert.equal(turns(t, [...DRAWN, ...acknowledged]).since(1990).isPartial, false);
});

test('what a server says unasked is no answer', (t) => {
  const feed = Array.from({ length: 50 }, (_, number) => [1000 + 10 * number, 'a', 'incoming', 70 + number]);
  const made = turns(t, [...answered(100, [20, 300]), ...feed, ...answered(2000, [20, 310])]);
  assert.equal(made.since(1990).isPartial, false);
});
