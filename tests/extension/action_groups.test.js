import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ACTIONS, groupOf } from '../../extension/src/shared/action_groups.ts';

/** The groups and arguments of the table in Python (bridge/gasoline_bridge/front/actions.py). */
const SAMPLE = JSON.parse(readFileSync(new URL('../wire/actions.json', import.meta.url), 'utf8'));

test('the table of actions has the names and groups of the one in Python', () => {
  const expected = Object.fromEntries(Object.entries(SAMPLE).map(([name, { group }]) => [name, group]));

  assert.deepEqual(ACTIONS, expected);
});

test('an action of a newer server has no group', () => {
  for (const action of ['fly', 'constructor', '', undefined, null, 7]) assert.equal(groupOf(action), undefined);
});
