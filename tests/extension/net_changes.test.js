import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSignOfFocus } from '../../extension/src/content/act/net_changes.ts';

test('what a page marks at any key is no change that a key has made', () => {
  assert.ok(isSignOfFocus('style', 'left: 1px; outline-style: none;', 'left: 1px;'));
  assert.ok(isSignOfFocus('style', '', 'outline: none'));
  assert.ok(isSignOfFocus('class', 'row', 'row focus-visible'));
  assert.ok(isSignOfFocus('data-whatinput', 'mouse', 'keyboard'));
});

test('any other attribute is a change', () => {
  assert.ok(!isSignOfFocus('style', 'left: 1px; outline: none', 'left: 2px'));
  assert.ok(!isSignOfFocus('class', 'row', 'row selected focus'));
  assert.ok(!isSignOfFocus('aria-expanded', 'false', 'true'));
});
