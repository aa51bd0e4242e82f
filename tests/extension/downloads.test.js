import assert from 'node:assert/strict';
import { test } from 'node:test';

const { isFrom } = await import('../../extension/src/background/interact/downloads.ts');

const PAGE = 'http://shop.test/cart';
const file = (url, referrer = '') => ({ url, finalUrl: url, referrer });
const asked = (url) => ({ url, type: 'other' });

test('a file comes from a tab that requested it, or whose origin made it [applications-028]', () => {
  assert.ok(isFrom(file('https://cdn.test/a.zip'), PAGE, [asked('https://cdn.test/a.zip')]));
  assert.ok(isFrom(file('https://cdn.test/a.zip', 'http://shop.test/other'), PAGE, []));
  assert.ok(isFrom(file('blob:http://shop.test/1-2'), PAGE, []));
  assert.ok(isFrom(file('data:text/plain,x'), PAGE, []), 'nothing is known of it');
});

test('a file that another site made is of another tab [applications-028]', () => {
  assert.ok(!isFrom(file('https://cdn.test/a.zip', 'https://news.test/'), PAGE, []));
  assert.ok(!isFrom(file('blob:https://news.test/1-2'), PAGE, []));
  assert.ok(!isFrom(file('data:text/plain,x', 'https://news.test/'), PAGE, []));
});
