import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actWords } from '../../extension/src/popup/audit_text.ts';

const ENTRY = {
  id: '1',
  ts: Date.UTC(2026, 0, 2, 3, 4, 5),
  client: 'claude-code',
  client_id: '00112233',
  action: 'save_state',
  tab: 5,
  origin: 'http://shop.test:3000',
  outcome: 'done',
  took_ms: 3,
};

test('what was done is shown with its place, its client and its time', () => {
  const { what, more } = actWords(ENTRY, 'en-GB');

  assert.equal(what, 'save state');
  assert.match(more, /^shop\.test:3000 · claude-code · \d\d:04:05$/);
});

test('what went wrong is shown first', () => {
  assert.match(actWords({ ...ENTRY, outcome: 'ai_web_pilot_disabled' }).more, /^refused: it was off · /);
  assert.match(actWords({ ...ENTRY, outcome: 'element_not_found' }).more, /^element not found · /);
});

test('what touched no tab has no place', () => {
  assert.match(actWords({ ...ENTRY, origin: '', client: '' }, 'en-GB').more, /^\d\d:04:05$/);
});
