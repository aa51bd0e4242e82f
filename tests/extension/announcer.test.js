import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer } from '../../extension/src/background/capture/announcer.ts';
import { valuesFrom } from '../../extension/src/shared/settings.ts';

function opened() {
  const said = [];
  const all = { front: { id: 12 }, stored: {}, said };
  const settings = async () => valuesFrom(all.stored);
  all.announcer = new Announcer({
    settings,
    front: async () => all.front,
    report: (event) => said.push(event),
    now: () => 5,
  });
  return all;
}

test('what the human has set is sent as an event', async () => {
  const { announcer, said } = opened();

  await announcer.update();

  assert.deepEqual(said, [
    { ts: 5, type: 'state', front: 12, tracked: null, websockets: true, bodies: false, allTabs: true },
  ]);
});

test('what has not changed is sent again only to a server that may not have it', async () => {
  const { announcer, said } = opened();
  await announcer.update();
  await announcer.update();
  const before = said.length;

  await announcer.repeat();

  assert.deepEqual([before, said.length], [1, 2]);
});

test('a change of the front tab, the tracked tab or a setting is reported', async () => {
  const all = opened();
  await all.announcer.update();
  all.front = undefined;
  await all.announcer.update();
  all.stored = { trackedTabId: 12 };
  await all.announcer.update();
  all.stored = { trackedTabId: 12, captureNetworkBodies: true };
  await all.announcer.update();

  assert.deepEqual(
    all.said.map(({ front, tracked, bodies }) => [front, tracked, bodies]),
    [
      [12, null, false],
      [null, null, false],
      [null, 12, false],
      [null, 12, true],
    ],
  );
});
