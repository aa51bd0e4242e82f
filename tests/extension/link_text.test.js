import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsFor } from '../../extension/src/shared/link_text.ts';

test('when connected, the popup names the server and its address', () => {
  const { title, facts, command } = wordsFor({ state: 'connected', port: 7890, name: 'gasoline', version: '0.2.0' });

  assert.equal(title, 'Connected');
  assert.deepEqual(facts, { Server: 'gasoline 0.2.0', Address: '127.0.0.1:7890' });
  assert.equal(command, undefined);
});

test('when another browser has the server, the popup states it and asks for no command', () => {
  const { title, command } = wordsFor({ state: 'taken', port: 7890 });

  assert.equal(title, 'Another browser is connected');
  assert.equal(command, undefined);
});

test('a packed copy is paired by its id, also where another server answers', () => {
  const id = 'p'.repeat(32);
  for (const state of ['not_paired', 'refused'])
    assert.equal(wordsFor({ state, port: 7890, id }).command, `gasoline extension pair ${id}`);
});

const remedies = {
  away: 'gasoline up',
  not_installed: 'gasoline extension install',
  refused: 'gasoline extension install',
  stranger: 'gasoline doctor',
};
for (const [state, command] of Object.entries(remedies)) {
  test(`when ${state.replace('_', ' ')}, the popup asks to run ${command}`, () => {
    assert.equal(wordsFor({ state, port: 7890 }).command, command);
  });
}
