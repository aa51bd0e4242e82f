import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name) => readFileSync(new URL(`../../extension/dist/${name}`, import.meta.url), 'utf8');
const page = read('page/capture.js');

test('the build adds no helper of its own to what runs in pages', () => {
  for (const name of ['page/capture.js', 'content/capture.js', 'content/vitals.js', 'content/commands.js']) {
    assert.doesNotMatch(read(name), /\b__(?!proto__|PURE__)\w+/, name);
  }
});

test("nothing of the page's script is left in the page's global scope", () => {
  assert.match(page, /^"use strict";\n\(\(\) => \{\n(?: {2}.*\n|\n)*\}\)\(\);\n\/\/# sourceURL=\S+\n$/);
});

/** Calls of methods that a page can patch, and syntax that asks an iterator. */
const PATCHABLE = [
  /\bfor (?:await )?\((?:const|let|var) .* of /,
  /\.(?:push|map|filter|forEach|find|some|every|join|slice|includes|indexOf|split|replace|test|exec|match|then|call|bind)\(/,
  /[[(]\.\.\.[\w.]+[\])](?! =>)/,
  /(?:const|let|var) \[/,
];

test("once it has started, the page's script goes through no iterator and no method that a page can patch [structure-004]", () => {
  const inFunctions = page.split('\n').filter((line) => /^ {4,}/.test(line)); // what runs at the start is at the top level
  const found = inFunctions.filter((line) => PATCHABLE.some((pattern) => pattern.test(line)));

  assert.deepEqual(found, []);
});

test('the rules find what they are for', () => {
  for (const line of [
    'for (const a of b) c();',
    'a.push(b);',
    'f(...args);',
    'return [...args];',
    'const [a, b] = c;',
  ]) {
    assert.ok(
      PATCHABLE.some((pattern) => pattern.test(line)),
      line,
    );
  }
});
