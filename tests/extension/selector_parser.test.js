import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { partsOf, stepsOf } from '../../extension/src/content/dom/selector_parser.ts';

const PARTS = JSON.parse(readFileSync(new URL('../wire/selector-parts.json', import.meta.url), 'utf8'));

const cases = {
  'my-card': ['my-card'],
  'my-card >>> button.save': ['my-card', 'button.save'],
  'a>>>b >>>  c > d': ['a', 'b', 'c > d'],
  '>>> #x': ['', '#x'],
  'a >>> ': ['a', ''],
  '': [''],
  '[title="a >>> b"]': ['[title="a >>> b"]'],
  "[title='a >>> b'] >>> c": ["[title='a >>> b']", 'c'],
  '[title="\\" >>> "] >>> c': ['[title="\\" >>> "]', 'c'],
  '[title=\\" >>> c': ['[title=\\" >>> c'],
  ':is(a >>> b) >>> c': [':is(a >>> b)', 'c'],
  '.a\\>>> b': ['.a\\>>> b'],
  '.a\\>>>> b': ['.a\\>', 'b'],
  '[title="unclosed >>> c': ['[title="unclosed >>> c'],
  'b) >>> c': ['b) >>> c'],
  '"a >>> b" >>> c': ['"a >>> b"', 'c'],
  "'a >>> b' >>> c": ["'a >>> b'", 'c'],
  "'a\\' >>> b' >>> c": ["'a\\' >>> b'", 'c'],
  '"a >>> b': ['"a >>> b'],
  "'a >>> b": ["'a >>> b"],
};
for (const [selector, steps] of Object.entries(cases)) {
  test(`${JSON.stringify(selector)} has ${steps.length} step(s)`, () => {
    assert.deepEqual([...stepsOf(selector)], steps);
  });
}

for (const { selector, parts } of PARTS) {
  test(`${JSON.stringify(selector)} has the parts ${JSON.stringify(parts)} [applications-068]`, () => {
    assert.deepEqual([...partsOf(selector)], parts);
  });
}

test('a very long selector takes no long time', () => {
  const selector = '[a="'.repeat(20_000);
  const begun = process.cpuUsage(); // a busy machine takes longer by any clock but this

  stepsOf(selector);

  assert.ok(process.cpuUsage(begun).user < 1_000_000);
});
