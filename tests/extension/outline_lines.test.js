import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipWhole, excerpt } from '../../extension/src/content/dom/text.ts';
import { print } from '../../extension/src/content/outline/print.ts';
import { RankQueue } from '../../extension/src/content/outline/rank_queue.ts';

const group = (parts, more = {}) => {
  const made = { is: 'group', up: null, element: null, role: '', head: '', sign: '', around: {}, parts, ...more };
  for (const part of parts ?? []) part.up = made;
  return made;
};
const line = (text) => ({ is: 'line', up: null, holder: null, pieces: [], sign: '', named: '', text });

test('a queue gives the lowest rank first, and of equal ones the first that came', () => {
  const queue = new RankQueue();
  const ranks = Array.from({ length: 200 }, (_, at) => (at * 7919) % 23);
  for (const [at, rank] of ranks.entries()) queue.push(at, rank);

  const given = ranks.map(() => queue.pop());

  const wanted = [...ranks.keys()].sort((one, other) => ranks[one] - ranks[other] || one - other);
  assert.deepEqual(given, wanted);
  assert.equal(queue.pop(), undefined);
});

test('lines are indented below what they are in, which is printed only with a line of it [fast-030]', () => {
  const item = group([line('One'), line('more')], { sign: '- ' });
  const nav = group([item], { head: 'role', text: '<navigation>' });
  const empty = group([line('')], { head: 'role', text: '<main>' });

  const { lines, leftOut } = print(group([nav, empty, line('End')]), false);

  assert.deepEqual(lines, ['<navigation>', ' - One', '  more', 'End']);
  assert.equal(leftOut, 0);
});

test('what is in an item goes before the sign of the item within it [fast-030]', () => {
  const inner = group([group([line('a')], { sign: '- ' })], { head: 'role', text: '<navigation>' });

  assert.deepEqual(print(group([group([inner], { sign: '- ' })]), false).lines, ['- <navigation>', '  - a']);
});

test('few lines that are left out are marked, many are counted [fast-031]', () => {
  const missed = (count) => Array.from({ length: count }, () => line(undefined));

  const few = print(group([line('a'), ...missed(3), line('b')]), false);
  const many = print(group([line('a'), ...missed(9), line('b')]), false);
  const partial = print(group([line('a'), ...missed(9), line('b')]), true);

  assert.deepEqual([few.lines, few.leftOut], [['a …', 'b'], 3]);
  assert.deepEqual([many.lines, many.leftOut], [['a', '… 9 more', 'b'], 9]);
  assert.deepEqual([partial.lines, partial.leftOut], [['a', 'b'], 0]);
});

test('a text is cut at its length, but before a long word [fast-032]', () => {
  assert.equal(clipWhole('some words', 7), 'some wo');
  assert.equal(clipWhole('key sk_live_51FakeFakeFake', 12), 'key ');
  assert.equal(clipWhole('sk_live_51FakeFakeFake', 30), 'sk_live_51FakeFakeFake');
  assert.equal(clipWhole('x'.repeat(40), 20), '');
});

test('a text is cut in no word that may be a secret, and in a sentence without spaces', () => {
  const key = 'sk_test_51FakeFakeFakeFakeFakeFake';

  assert.equal(excerpt(`Your new key is ${key}, keep it`, 30), 'Your new key is');
  assert.equal(excerpt(`${key}${key}`, 40), '…');
  assert.equal(excerpt('', 40), '');
  assert.equal(excerpt('short words are cut where it is long enough', 21), 'short words are cut w');
  assert.equal(excerpt('注文を保存しました。確認メールをお送りします。', 10), '注文を保存しました。');
});
