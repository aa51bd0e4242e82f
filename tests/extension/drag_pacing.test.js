import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dragInSteps, pressAndHold } from '../../extension/src/background/interact/drag_pacing.ts';

/** Steps whose first one is done in the page, but whose call is aborted before its answer is read. */
function abortedWhileItBegins() {
  const cancelled = [];
  return {
    cancelled,
    begin: () => Promise.reject(new Error('cancelled')),
    next: async () => ({}),
    wait: async () => {},
    cancel: async (name) => cancelled.push(name),
  };
}

test('a press that is aborted while it begins is let go, and so is a drag', async () => {
  for (const [perform, step, query] of [
    [pressAndHold, 'release_press', { hold_ms: 600 }],
    [dragInSteps, 'drag_step', {}],
  ]) {
    const steps = abortedWhileItBegins();

    await assert.rejects(perform(query, steps), /cancelled/);

    assert.deepEqual(steps.cancelled, [step]);
  }
});
