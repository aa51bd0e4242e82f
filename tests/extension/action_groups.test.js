import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ACTIONS, groupOf, INPUT_ACTIONS } from '../../extension/src/shared/action_groups.ts';

/** The groups and arguments of the table in Python (bridge/gasoline_bridge/front/actions.py). */
const SAMPLE = JSON.parse(readFileSync(new URL('../wire/actions.json', import.meta.url), 'utf8'));

test('the table of actions has the names and groups of the one in Python', () => {
  const expected = Object.fromEntries(Object.entries(SAMPLE).map(([name, { group }]) => [name, group]));

  assert.deepEqual(ACTIONS, expected);
});

test('the actions with real input are those that take `trusted` in Python', () => {
  const names = Object.keys(SAMPLE).filter((name) => SAMPLE[name].arguments.includes('trusted'));

  assert.deepEqual(INPUT_ACTIONS, names);
});

test('an action of a newer server has no group', () => {
  for (const action of ['fly', 'constructor', '', undefined, null, 7]) assert.equal(groupOf(action), undefined);
});
