// The steps of an action end in every case: one that is cut off is given up, so that no key stays down.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { actInSteps } from '../../extension/src/background/interact/form_filling.ts';

function stepsOf(answers) {
  const sent = [];
  const next = async (name) => {
    sent.push(name);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    sent,
    steps: { begin: async () => ({ waits: true }), next, cancel: async () => sent.push('cancel'), wait: async () => 0 },
  };
}

test('steps are done until none is left', async () => {
  const { sent, steps } = stepsOf([{ left: 2, progress: true }, { left: 1, waitMs: 1 }, { left: 0 }]);

  assert.deepEqual(await actInSteps({}, steps), {});
  assert.deepEqual(sent, ['do_step', 'do_step', 'do_step']);
});

test('an action that is cut off between two steps is given up', async () => {
  const { sent, steps } = stepsOf([{ left: 1, waitMs: 1 }, new Error('aborted')]);

  await assert.rejects(actInSteps({}, steps), /aborted/);
  assert.deepEqual(sent, ['do_step', 'do_step', 'cancel']);
});
