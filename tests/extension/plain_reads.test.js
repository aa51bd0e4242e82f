import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { plainRead, wrappedRead } from '../../extension/src/background/script/plain_reads.ts';

const READS = [
  ['1 + 1', 2],
  ['document.title;', 'Shop'],
  ["document.querySelectorAll('li').length", 3],
  ["  typeof nothing === 'undefined' ? 'a' : \"b\" ; ", 'a'],
  ['(1 + 2) * 3 / 3', 3],
  ["document['title'].trim().toLowerCase()", 'shop'],
  ['document?.title?.length ?? 0', 4],
  ["'v' in document || !(document instanceof Object)", true],
  ['document.function', null],
  ['Math.max(1, [2, 3].length)', 2],
  ['null', null],
  ['f', 7],
];

for (const [script, expected] of READS) {
  test(`only reads: ${script} [fast-041]`, () => {
    const context = { document: { title: 'Shop', querySelectorAll: () => [1, 2, 3], function: null }, f: 7 };
    const source = plainRead(script);

    assert.ok(source);
    const given = vm.runInNewContext(wrappedRead(source), context);
    assert.deepEqual({ ...given }, { v: expected });
  });
}

const OTHERS = [
  ...['', ';', 'a = 1', 'a += 1', 'a ??= 1', 'a >>= 1', 'a **= 2', 'a++', '--a', 'a - -b', '() => 1', 'a.b()', 'f()'],
  ...[
    'document.title = 1',
    "document['write'](1)",
    'a?.(1)',
    '(a)(1)',
    'a[0](1)',
    'new Date',
    'delete a.b',
    '`a`',
    '/a/',
  ],
  ...['1 / /a/', '{a: 1}', 'function () {}', 'await 1', 'throw 1', 'var a', 'if (a) b', 'a; b', 'a // b', 'a /* b */'],
  ...[
    'a)+(b',
    '(a',
    '[a',
    'a](',
    "'a\\x41'",
    "'a\nb'",
    '<!--a',
    'a\n-->b',
    'let\na',
    '\u0061.x \\u0061',
    "eval('1')",
    'a`b`',
  ],
  ...[
    'document.cookie.replace(1, 2)',
    'axios.get(1)',
    'history.back()',
    'yield',
    'super.a',
    'import(1)',
    `${'1+'.repeat(600)}1`,
  ],
];

test('what may do more is not taken for a read [fast-041]', () => {
  assert.deepEqual(
    OTHERS.filter((script) => plainRead(script) !== undefined),
    [],
  );
});

test('a value that is no primitive of JSON, and an exception, give nothing [fast-041]', () => {
  const run = (script) => vm.runInNewContext(wrappedRead(script), {});

  assert.deepEqual(['0/0', '-0', '1n', '({})', "'x'.repeat(60000)", '(() => 1)'].map(run), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(run('void 0').u, true);
  assert.throws(() => run('nothing.here'));
});
