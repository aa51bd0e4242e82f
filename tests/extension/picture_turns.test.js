import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipOf, isInSight, partOf, stripsOf } from '../../extension/src/background/pictures/areas.ts';
import { PictureTurns } from '../../extension/src/background/pictures/picture_turns.ts';

const SOON = new AbortController().signal;

function clocked() {
  const clock = { at: 0, now: () => clock.at, sleep: async (ms) => (clock.at += ms) };
  return clock;
}

test('no three captures begin within a second, however many are asked for [pictures-008]', async () => {
  const clock = clocked();
  const turns = new PictureTurns(clock);
  const begun = [];

  const shoot = () => turns.take(SOON, async () => (await turns.pace(), begun.push(clock.at)));
  await Promise.all(Array.from({ length: 10 }, shoot));

  assert.equal(begun.length, 10);
  assert.ok(begun.every((at, index) => index < 2 || at - begun[index - 2] > 1_000));
  assert.ok(begun.at(-1) < 5_000);
});

test('a picture that fails, and one whose caller has gone, hold no other up [pictures-008]', async () => {
  const turns = new PictureTurns(clocked());
  const gone = new AbortController();
  const done = [];
  let end;
  const first = turns.take(SOON, () => new Promise((resolve) => (end = resolve)));
  const left = turns.take(gone.signal, async () => done.push('left'));
  const failed = turns.take(SOON, () => Promise.reject(new Error('no picture')));
  const last = turns.take(SOON, async () => done.push('last'));

  gone.abort(new Error('cancelled'));
  await assert.rejects(left, /cancelled/);
  end();
  await first;
  await assert.rejects(failed, /no picture/);
  await last;

  assert.deepEqual(done, ['last']);
});

const place = (area, more = {}) => ({
  area,
  sight: { x: 0, y: 0, width: 1000, height: 700 },
  viewport: { width: 1000, height: 700 },
  page: { width: 1000, height: 5000 },
  scroll: { x: 0, y: 100 },
  ...more,
});
const box = (x, y, width, height) => ({ x, y, width, height });

test('a picture of a page that hangs holds the next ones up until its caller gives it up, and no longer [pictures-008]', async () => {
  const turns = new PictureTurns(clocked());
  const given = new AbortController();
  const done = [];
  const hung = turns.take(given.signal, () => new Promise(() => {}));
  const waiting = new AbortController();
  const left = turns.take(waiting.signal, async () => done.push('left'));
  const next = turns.take(SOON, async () => done.push('next'));

  waiting.abort(new Error('cancelled'));
  await assert.rejects(left, /cancelled/);
  assert.deepEqual(done, []); // the first is not over
  given.abort(new Error('too long'));
  await assert.rejects(hung, /too long/);
  await next;

  assert.deepEqual(done, ['next']);
});

test('an area is in sight as a whole, or not [pictures-010]', () => {
  assert.ok(isInSight(place(box(0, 0, 1000, 700))));
  assert.ok(!isInSight(place(box(0, 600, 10, 200))));
  assert.ok(!isInSight(place(box(-5, 0, 10, 10))));
  assert.ok(isInSight(place(box(300, 200, 500, 350), { sight: box(300, 200, 500, 350) })));
  assert.ok(!isInSight(place(box(0, 0, 100, 100), { sight: box(300, 200, 500, 350) })));
});

test('the part of a picture has every pixel that the area touches [pictures-010, pictures-011]', () => {
  const picture = { width: 2000, height: 1400 };

  assert.deepEqual(partOf(place(box(10, 20, 30, 40)), 2, picture), box(20, 40, 60, 80));
  assert.deepEqual(partOf(place(box(10.25, 0, 30.5, 10)), 1, picture), box(10, 0, 31, 10));
  assert.deepEqual(partOf(place(box(990, 690, 30, 40)), 2, picture), box(1980, 1380, 20, 20));
});

test('strips cover an area once, without a gap [pictures-009]', () => {
  const strips = stripsOf(box(0, 100, 900, 1300), 700);

  assert.deepEqual(
    strips.map(({ y, height }) => [y, height]),
    [
      [100, 420],
      [520, 420],
      [940, 420],
      [1360, 40],
    ],
  );
});

test('what Chrome cannot draw is cut off, and that is stated [pictures-009, pictures-011]', () => {
  assert.deepEqual(clipOf(place(box(0, -100, 1000, 5000)), 1, 1), { ...box(0, 0, 1000, 5000), truncated: false });
  assert.deepEqual(clipOf(place(box(0, 0, 1000, 5000)), 2, 1), { ...box(0, 200, 2000, 10000), truncated: false });
  const long = clipOf(place(box(0, 0, 1000, 90_000)), 1, 2);
  assert.ok(long.truncated && long.height <= 8_192 && long.width * long.height * 4 <= 60_000_000);
});
