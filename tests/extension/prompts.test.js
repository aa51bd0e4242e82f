import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judged } from '../../extension/src/background/interact/prompts.ts';

const popup = (unsure = false) => ({ is: 'window', url: 'http://page.test/child', unsure });
const permission = (state) => ({ is: 'permission', permission: 'camera', state });

test('a popup that real input did not open either is for the user to allow [applications-038]', () => {
  const { blocked, hint } = judged([popup()], {}, true);

  assert.deepEqual(
    [blocked, hint],
    [['popup http://page.test/child'], 'Only the user can allow it, in the address bar of Chrome.'],
  );
});

test('a window of which the page gets nothing is blocked only if no tab has come [applications-038]', () => {
  const opened = judged([popup(true)], { opened_tab: 7 }, false);
  const refused = judged([popup(true)], {}, false);

  assert.deepEqual([opened, refused.blocked], [{}, ['popup http://page.test/child']]);
});

test('a permission that was denied is blocked, any other waits for the user [applications-041]', () => {
  const { blocked, waits_for_user } = judged([permission('denied'), permission('prompt')], {}, false);

  assert.deepEqual([blocked, waits_for_user], [['permission camera'], ['permission camera']]);
});

test('a file chooser that real input has opened waits for the user [applications-041]', () => {
  const shown = judged([{ is: 'file_chooser', shown: true }], {}, true);

  assert.deepEqual(shown, {
    waits_for_user: ['file chooser'],
    hint: 'Give the file to its field with interact(action:"upload").',
  });
});
