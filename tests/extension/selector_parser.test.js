import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf, stepsOf } from '../../extension/src/content/dom/selector_parser.ts';

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

const chains = {
  'main >> text=Save': ['main', 'text=Save'],
  'a>>b >> nth=-1': ['a', 'b', 'nth=-1'],
  'a >>> b >> c': ['a >>> b', 'c'],
  'my-card >>> b': ['my-card >>> b'],
  'text=Next >>': ['text=Next >>'],
  'text="a >> b"': ['text="a >> b"'],
  'role=button[name="a >> b"] >> nth=0': ['role=button[name="a >> b"]', 'nth=0'],
  '': [''],
};

for (const [selector, parts] of Object.entries(chains)) {
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
