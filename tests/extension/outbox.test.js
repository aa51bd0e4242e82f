import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backlog } from '../../extension/src/background/capture/backlog.ts';
import { OUTBOX_LIMITS, Outbox } from '../../extension/src/background/capture/outbox.ts';
import { FakeArea, FakeClock, idOf, placedChunk, turn } from './fakes.js';

const { waitMs, confirmMs, messageBytes, backlogBytes } = OUTBOX_LIMITS;

/** An outbox, what it sent as lists of numbers, and the storage it has. */
async function opened({ area = new FakeArea(), connected = true } = {}) {
  const clock = new FakeClock();
  const all = { area, clock, connected, sent: [], messages: [], dropped: [] };
  const send = (text) => {
    if (!all.connected) return false;
    const message = JSON.parse(text);
    all.messages.push(message);
    all.sent.push(message.chunks.map(({ id }) => Number.parseInt(id, 16)));
    return true;
  };
  const backlog = new Backlog(area);
  const chunks = await backlog.restore();
  const dropped = (counts) => all.dropped.push(Object.fromEntries(counts));
  all.outbox = new Outbox({ send, backlog, dropped, clock, now: () => clock.now }, chunks);
  return all;
}

const large = (number, bytes) =>
  placedChunk(number, [{ ts: 1, type: 'console', level: 'log', args: ['x'.repeat(bytes)] }]);
const kept = (area) =>
  Object.values(area.items)
    .sort((a, b) => a.number - b.number)
    .map(({ chunk }) => Number.parseInt(chunk.id, 16));

test('[002-014] chunks of one moment travel in one message, in order', async () => {
  const { outbox, clock, sent } = await opened();
  for (const number of [1, 2, 3]) outbox.put(placedChunk(number));

  await clock.pass(waitMs - 1);
  const before = sent.length;
  await clock.pass(1);

  assert.equal(before, 0);
  assert.deepEqual(sent, [[1, 2, 3]]);
});

test('64 KB do not wait', async () => {
  const { outbox, sent } = await opened();

  outbox.put(large(1, messageBytes));

  assert.deepEqual(sent, [[1]]);
});

test('a chunk is as it was when it arrives', async () => {
  const { outbox, messages } = await opened();
  outbox.put(placedChunk(1));

  outbox.flush();

  assert.deepEqual(messages, [{ type: 'events', chunks: [placedChunk(1)] }]);
});

test('a flush sends at once, and nothing twice', async () => {
  const { outbox, clock, sent } = await opened();
  outbox.put(placedChunk(1));

  outbox.flush();
  outbox.flush();
  await clock.pass(10_000);

  assert.deepEqual(sent, [[1]]);
});

test('the same chunk is taken once', async () => {
  const { outbox, sent } = await opened();
  outbox.put(placedChunk(1));
  outbox.put(placedChunk(1));

  outbox.flush();

  assert.deepEqual(sent, [[1]]);
});

test('a chunk is safe once it is stored, not when it was only sent', async () => {
  const { outbox, clock } = await opened();
  let safe = false;
  outbox.put(placedChunk(1)).then(() => (safe = true));

  await clock.pass(waitMs);
  const before = safe;
  outbox.stored([idOf(1)]);
  await clock.pass(1);

  assert.deepEqual([before, safe], [false, true]);
});

test('after a reconnect everything that was not stored is sent again, oldest first', async () => {
  const { outbox, sent } = await opened();
  for (const number of [1, 2, 3]) outbox.put(placedChunk(number));
  outbox.flush();
  outbox.stored([idOf(2)]);
  outbox.put(placedChunk(4));

  outbox.resend();

  assert.deepEqual(sent.at(-1), [1, 3, 4]);
});

test('what is sent again is divided into messages of about 64 KB', async () => {
  const { outbox, sent } = await opened({ connected: false });
  for (const number of [1, 2, 3, 4]) outbox.put(large(number, messageBytes / 2 - 500));

  const all = await opened();
  for (const number of [1, 2, 3, 4]) all.outbox.put(large(number, messageBytes / 2 - 500));
  all.sent.length = 0;
  all.outbox.resend();

  assert.deepEqual(sent, []);
  assert.deepEqual(all.sent, [
    [1, 2],
    [3, 4],
  ]);
});

test('what is stored soon never touches the storage', async () => {
  const { outbox, clock, area } = await opened();
  outbox.put(placedChunk(1));
  outbox.flush();
  outbox.stored([idOf(1)]);

  await clock.pass(10 * confirmMs);

  assert.deepEqual(area.items, {});
});

test('what is not stored within 500 ms is laid down, and taken away once it is', async () => {
  const { outbox, clock, area } = await opened();
  outbox.put(placedChunk(1));
  outbox.flush();

  await clock.pass(confirmMs);
  const before = kept(area);
  outbox.stored([idOf(1)]);
  await turn();

  assert.deepEqual(before, [1]);
  assert.deepEqual(area.items, {});
});

test('without a connection chunks are laid down at once, and that is as good as sent', async () => {
  const { outbox, clock, area } = await opened({ connected: false });
  let safe = false;
  outbox.put(placedChunk(1)).then(() => (safe = true));

  await clock.pass(waitMs);

  assert.deepEqual(kept(area), [1]);
  assert.equal(safe, true);
});

test('[mutate-006] the next life of the worker sends what the last one could not, before anything newer', async () => {
  const area = new FakeArea();
  const last = await opened({ area, connected: false });
  for (const number of [9, 5, 7]) last.outbox.put(placedChunk(number));
  last.outbox.flush();
  await turn();

  const next = await opened({ area });
  next.outbox.put(placedChunk(1));
  next.outbox.flush();
  next.outbox.stored([9, 5, 7, 1].map(idOf));
  await turn();

  assert.deepEqual(next.sent, [[9, 5, 7, 1]]);
  assert.deepEqual(area.items, {});
});

test('the storage never gets more than 1.5 MB, and the rest is not reported as safe', async () => {
  const { outbox, area } = await opened({ connected: false });
  const safe = [];
  for (const number of [1, 2, 3, 4]) outbox.put(large(number, backlogBytes / 3)).then(() => safe.push(number));
  outbox.flush();
  await turn();

  assert.deepEqual(kept(area), [1, 2]);
  assert.deepEqual(safe, [1, 2]);
});

test('beyond 4 MB the oldest are dropped, counted and reported with the next message', async () => {
  const all = await opened({ connected: false });
  for (const number of [1, 2, 3, 4, 5]) all.outbox.put(large(number, OUTBOX_LIMITS.bytes / 4));
  all.connected = true;

  all.outbox.resend();

  const events = all.messages
    .flatMap(({ chunks }) => chunks)
    .filter(({ tab }) => tab === 0)
    .flatMap(({ events }) => events);
  assert.deepEqual(all.dropped, [{ console: 1 }, { console: 1 }]);
  assert.deepEqual(
    events.map(({ type, of, count, why }) => [type, of, count, why]),
    [['dropped', 'console', 2, 'space']],
  );
  assert.deepEqual(all.sent.flat().slice(0, 3), [3, 4, 5]);
});

test('without a connection nothing is tried at every chunk, however many wait', async () => {
  const clock = new FakeClock();
  let tries = 0;
  const backlog = new Backlog(new FakeArea());
  const outbox = new Outbox({ send: () => (tries++, false), backlog, dropped: () => {}, clock, now: () => clock.now });

  for (let number = 1; number <= 50; number++) outbox.put(large(number, messageBytes));

  assert.equal(tries, 1);
});

test('a storage that refuses loses nothing while the worker lives', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const all = await opened({ connected: false });
  all.area.full = true;
  all.outbox.put(placedChunk(1));
  all.outbox.flush();
  await turn();
  all.connected = true;

  all.outbox.resend();

  assert.deepEqual(all.sent, [[1]]);
});

test('what the storage has refused once is laid down at the next try, before the connection is back', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const { outbox, clock, area } = await opened({ connected: false });
  area.full = true;
  let safe = false;
  outbox.put(placedChunk(1)).then(() => (safe = true));
  await clock.pass(waitMs);
  const before = [kept(area), safe];
  area.full = false;

  await clock.pass(confirmMs);

  assert.deepEqual(before, [[], false]);
  assert.deepEqual([kept(area), safe], [[1], true]);
});

test('what the storage has refused leaves its room in the backlog to others', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const { outbox, clock, area } = await opened({ connected: false });
  area.full = true;
  for (const number of [1, 2]) outbox.put(large(number, backlogBytes / 3));
  outbox.flush();
  await turn();
  area.full = false;

  await clock.pass(2 * confirmMs);

  assert.deepEqual(kept(area), [1, 2]);
});

test('what is stored while the storage is refusing it leaves no wrong count of the backlog', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const { outbox, clock, area } = await opened({ connected: false });
  area.full = true;
  outbox.put(large(1, backlogBytes / 2));
  outbox.flush();
  outbox.stored([idOf(1)]); // the storage has not answered yet
  await turn();
  area.full = false;

  for (const number of [2, 3, 4]) outbox.put(large(number, backlogBytes / 2.5));
  outbox.flush();
  await clock.pass(2 * confirmMs);

  assert.deepEqual(kept(area), [2, 3]);
});

test('unknown stored ids do no harm', async () => {
  const { outbox, sent } = await opened();
  outbox.put(placedChunk(1));

  outbox.stored([idOf(7)]);
  outbox.flush();

  assert.deepEqual(sent, [[1]]);
});

test('what waits of a site that is excluded is dropped, from the backlog too, and is never sent [sites-002]', async () => {
  const all = await opened({ connected: false });
  const { outbox, area, sent, dropped } = all;
  outbox.put({ ...placedChunk(1), page: 'https://bank.example/' });
  outbox.put(placedChunk(2));
  outbox.flush();
  await turn();

  outbox.drop(({ page }) => page === 'https://bank.example/');
  await turn();
  all.connected = true;
  outbox.resend();

  assert.deepEqual([sent, dropped, kept(area)], [[[2]], [], [2]]);
});
