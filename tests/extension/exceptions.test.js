import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackOf, wordsFor } from '../../extension/src/background/script/exceptions.ts';

const call = (functionName, url, lineNumber, columnNumber) => ({ functionName, url, lineNumber, columnNumber });
const source = { name: 'ours-7', script: 'f()\nf()', before: '(()=>{' };

test("a script's own calls have its own lines, ours are left out, the page's stay", () => {
  const calls = [
    call('f', 'http://a/app.js', 9, 4),
    call('', 'ours-7', 1, 2),
    call('g', 'ours-7', 0, 6),
    call('', 'ours-7', 0, 2),
    call('', 'ours-7', 2, 1),
  ];

  assert.equal(stackOf(calls, source), '    at f (http://a/app.js:10:5)\n    at script:2:3\n    at g (script:1:1)');
});

test('a deep recursion is shown by its end', () => {
  const calls = Array.from({ length: 200 }, () => call('f', 'ours-7', 1, 0));

  assert.equal(stackOf(calls, source).split('\n').length, 20);
});

const words = [
  [{ type: 'string', value: 'no' }, 'no', 'no'],
  [{ type: 'object', subtype: 'null', value: null }, null, 'null was thrown'],
  [{ type: 'undefined' }, null, 'undefined was thrown'],
  [{ type: 'number', value: 5 }, 5, '5 was thrown'],
  [{ type: 'object', objectId: '1' }, { a: 1 }, '{"a":1} was thrown'],
  [{ type: 'symbol', objectId: '1' }, 'Symbol(x)', 'Symbol(x) was thrown'],
];
for (const [thrown, described, expected] of words) {
  test(`${expected}: a clear text`, () => assert.equal(wordsFor(thrown, described), expected));
}

test('a long text is cut', () => {
  assert.equal(wordsFor({ type: 'string', value: 'x'.repeat(5000) }).length, 2001);
});
