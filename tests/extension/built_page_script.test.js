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
  assert.match(page, /^"use strict";\n\(\(\) => \{\n(?: {2}.*\n|\n)*\}\)\(\);\n$/);
});

test("once it has started, the page's script goes through no iterator and no prototype of the page", () => {
  const inFunctions = page.split('\n').filter((line) => /^ {4,}/.test(line)); // what starts stands at the top
  const found = inFunctions.filter((line) =>
    /\bfor \((?:const|let) .* of |\.(?:push|map|filter|forEach|join|slice|includes|indexOf|call|bind)\(/.test(line),
  );

  assert.deepEqual(found, []);
});
