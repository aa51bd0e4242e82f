import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DrawMachine } from '../../extension/src/content/draw/states.ts';

/** How each state is reached, and what leads on from it. */
const STATES = {
  INACTIVE: { by: [], next: { activate: 'DRAWING' } },
  DRAWING: { by: ['activate'], next: { drawn: 'TEXT_INPUT', select: 'SELECTED', escape: 'FINISHING' } },
  TEXT_INPUT: { by: ['activate', 'drawn'], next: { enter: 'DRAWING', blur: 'DRAWING', escape: 'DRAWING' } },
  SELECTED: {
    by: ['activate', 'select'],
    next: { select: 'SELECTED', grab: 'CHANGING', edit: 'TEXT_INPUT', leave: 'DRAWING', escape: 'DRAWING' },
  },
  CHANGING: { by: ['activate', 'select', 'grab'], next: { drop: 'SELECTED', escape: 'SELECTED' } },
  FINISHING: { by: ['activate', 'escape'], next: { sent: 'INACTIVE' } },
};

const TRIGGERS = ['activate', 'drawn', 'enter', 'blur', 'escape', 'select', 'grab', 'drop', 'edit', 'leave', 'sent'];

test('each transition of Draw Mode leads where the table says, and every other one is refused [draw-001, 004-126, 004-127, 004-128]', () => {
  for (const [state, { by, next }] of Object.entries(STATES))
    for (const trigger of TRIGGERS) {
      const machine = new DrawMachine();
      for (const step of by) machine.take(step);
      assert.equal(machine.state, state);

      const taken = machine.take(trigger);

      assert.deepEqual([taken, machine.state], [trigger in next, next[trigger] ?? state], `${state}, ${trigger}`);
    }
});
