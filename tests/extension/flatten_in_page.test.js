import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flattenInPage } from '../../extension/src/background/script/flatten_in_page.ts';
import { describePlain } from '../../extension/src/background/script/values.ts';

const ROOM = { nodes: 100, bytes: 10_000, text: 50 };

/** Expand one object as the page would, from the text that is sent there. */
function expanded(object, kind = 'object', room = ROOM, ...entries) {
  const state = { o: { 0: object }, up: { 0: -1 }, n: 1 };
  const {
    'room::': _,
    'bytes::': __,
    ...members
  } = {
    ...new Function(`return (${flattenInPage})`)().call(state, [{ index: 0, kind, keys: false }], room, ...entries),
  };
  return members;
}

test('own members are laid out, with what JSON leaves out left out', () => {
  assert.deepEqual(expanded({ a: 1, b: undefined, [Symbol('c')]: 2, d: 'x' }), { 'v0::a': 1, 'v0::d': 'x' });
});

test('an ancestor is not looked into again', () => {
  const ring = {};
  ring.self = ring;

  assert.deepEqual(expanded(ring), { 'c0::self': 0 });
});

test('a getter runs, and one that throws makes the object be read by its keys', () => {
  const object = {
    get a() {
      return 1;
    },
    get b() {
      throw new TypeError('no');
    },
  };

  assert.deepEqual(expanded(object), { 'r0::': 'TypeError: no' });
});

test('a long text is cut and its length reported', () => {
  assert.deepEqual(expanded({ a: 'x'.repeat(80) }), { 's0:80:a': 'x'.repeat(50) });
});

test('a text is cut where its JSON is too long', () => {
  const [[name, text]] = Object.entries(expanded({ a: '\ud800'.repeat(50) }, 'object', { ...ROOM, bytes: 66 }));

  assert.equal(name, 's0:50:a');
  assert.ok(JSON.stringify(text).length <= 66);
});

test('what is left out is counted', () => {
  const members = expanded(new Array(1000).fill(7), 'array');

  assert.equal(Object.keys(members).length, 101);
  assert.equal(members['m0:900:100'], 0);
});

test('the first objects of many are kept whole', () => {
  const members = expanded(
    Array.from({ length: 1000 }, (_, i) => ({ i })),
    'array',
  );

  assert.equal(Object.keys(members).filter((name) => name.startsWith('o')).length, 13);
});

test('toJSON speaks for its object', () => {
  assert.deepEqual(expanded({ a: 1, toJSON: () => 'json' }), { 'x0::': 'json' });
});

test('a map is read from its entries', () => {
  assert.deepEqual(expanded(new Map(), 'map', ROOM, [{ key: 'k', value: 1 }]), { 'v0::0k': 'k', 'v0::0v': 1 });
});

test('a value that needs no looking into is returned as it is', () => {
  assert.deepEqual(describePlain({ type: 'number', unserializableValue: '-0' }).result, '-0');
  assert.deepEqual(describePlain({ type: 'undefined' }).result, null);
  assert.match(describePlain({ type: 'string', value: 'x'.repeat(60_000) }).result, /… \(10,000 more characters\)$/);
});
