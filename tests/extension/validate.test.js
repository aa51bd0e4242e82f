import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded, isCapture, readEvent } from '../../extension/src/content/capture/validate.ts';

const line = (text) => ({ type: 'console', ts: 1, level: 'log', args: [text] });

for (const said of [
  '',
  'x',
  '1',
  'null',
  '[]',
  '{}',
  '{"type":"state"}',
  '{"type":"navigation"}',
  '{"type":["console"]}',
  undefined,
  {},
]) {
  test(`${JSON.stringify(said)} is no event`, () => {
    assert.equal(readEvent(said), undefined);
  });
}

test('an event of a known type is taken as it is', () => {
  assert.deepEqual(readEvent(JSON.stringify(line('a'))), line('a'));
});

test('a string is cut at 64 KB, and half a surrogate pair replaced', () => {
  const [long] = readEvent(JSON.stringify(line('x'.repeat(70_000)))).args;
  const [half] = readEvent(JSON.stringify(line('a\ud800'))).args;

  assert.deepEqual([long.length, half], [64 * 1024, 'a\ufffd']);
});

test('names are bounded as values are', () => {
  assert.deepEqual(bounded({ 'a\udc00': [{ b: 'c\ud800' }, null, 1, true] }), {
    'a\ufffd': [{ b: 'c\ufffd' }, null, 1, true],
  });
});

test('what is to be captured is three answers', () => {
  assert.equal(isCapture({ on: true, websockets: false, bodies: true }), true);
  for (const said of [undefined, null, 1, {}, { on: 1, websockets: true, bodies: true }])
    assert.equal(isCapture(said), false);
});

for (const loss of [
  { of: 'console', count: 9e15 },
  { of: 'console', count: -3 },
  { of: 'console', count: '4' },
  { of: 'state', count: 1 },
  { of: 'console', count: 0 },
  { of: 'console', count: 1.5 },
  { of: 'console', count: 10_000_001 },
]) {
  test(`a loss of ${JSON.stringify(loss)} is not believed`, () => {
    assert.equal(readEvent(JSON.stringify({ type: 'dropped', ts: 1, why: 'rate', ...loss })), undefined);
  });
}

test('an event that is nested deeper than the bridge reads is none [attacks-005]', () => {
  const deep = (levels) => `{"type":"console","args":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  assert.ok(readEvent(deep(49)));
  for (const levels of [50, 700, 3000]) assert.equal(readEvent(deep(levels)), undefined);
});

for (const count of [1, 10_000_000]) {
  test(`a loss of ${count} is believed`, () => {
    const loss = { type: 'dropped', ts: 1, why: 'rate', of: 'console', count };

    assert.deepEqual(readEvent(JSON.stringify(loss)), loss);
  });
}
