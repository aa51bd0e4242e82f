import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_MS, inTime } from '../../extension/src/background/interact/frame_answers.ts';

const NEVER = new Promise(() => {});

/** Give what was answered, and how many ms that took. */
async function timed(answer, isAtDialog = () => false) {
  const begun = performance.now();
  const found = await inTime(answer, isAtDialog);
  return { found, ms: performance.now() - begun };
}

test('the answer of a busy frame is waited for: a press that missed is not taken for one that landed', async () => {
  const answer = new Promise((done) => setTimeout(done, 450, { hit: 'div' }));
  assert.deepEqual((await timed(answer)).found, { hit: 'div' });
});

test('frames that know nothing answer at once, and so does a page that was left', async () => {
  const none = await timed(Promise.resolve());
  const left = await timed(Promise.reject(new Error('Could not establish connection.')));
  assert.deepEqual([none.found, left.found], [undefined, undefined]);
  assert.ok(none.ms + left.ms < ANSWER_MS / 2);
});

test('neither a frame that hangs nor a page at a dialog is waited for without end', async () => {
  const hung = await timed(NEVER);
  const dialog = await timed(NEVER, () => true);
  assert.deepEqual([hung.found, dialog.found], [undefined, undefined]);
  assert.ok(dialog.ms < ANSWER_MS / 2);
});
