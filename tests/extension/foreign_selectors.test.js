import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { translated, written } from '../../extension/src/content/dom/foreign_selectors.ts';

const TRIES = JSON.parse(readFileSync(new URL('../wire/foreign-selectors.json', import.meta.url), 'utf8'));

for (const { selector, use, ...nth } of TRIES) {
  test(`translates ${selector} [tries-006]`, () => {
    assert.deepEqual(translated(selector), { selector: use, ...nth });
  });
}

for (const ref of ['3f2a-7', '@3f2a-7', '[ref=3f2a-7]', 'a3f2-71']) {
  test(`knows ${ref} as a ref of the list [tries-006]`, () => {
    assert.equal(translated(ref)?.selector, `ref=${/[0-9a-f]{4}-\d+/.exec(ref)?.[0]}`);
  });
}

for (const selector of [
  '#save',
  'button',
  'my-card >>> b',
  'text=Save',
  'role=button[name="Save"]',
  'label=Email',
  '',
  'a,',
  '[',
  '//div[position()<3]',
]) {
  test(`has no translation for ${JSON.stringify(selector)}`, () => {
    assert.equal(translated(selector), undefined);
  });
}

test('writes a translation as the arguments of a call', () => {
  assert.equal(
    written({ selector: 'role=button[name="Save"]', nth: 0 }),
    'selector:"role=button[name=\\"Save\\"]", nth:0',
  );
});

test('leaves a selector of any length that nobody writes by hand alone', () => {
  assert.equal(translated(`//${'a[@b="c"]/'.repeat(100)}`), undefined);
});
