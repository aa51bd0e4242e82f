import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLEAR_MS, ClearRequests } from '../../extension/src/background/capture/clear_request.ts';
import { FakeClock, idOf } from './fakes.js';

function opened(connected = true) {
  const clock = new FakeClock();
  const sent = [];
  const clearing = new ClearRequests({ clock, send: (text) => connected && (sent.push(JSON.parse(text)), true) });
  return { clearing, clock, sent };
}

test('it is done once the server has confirmed it', async () => {
  const { clearing, sent } = opened();
  const asked = clearing.send();

  clearing.acknowledged(sent[0].id);

  assert.equal(sent[0].type, 'clear');
  assert.equal(await asked, true);
});

test('a server that sends nothing for 2 s has not done it', async () => {
  const { clearing, clock, sent } = opened();
  const asked = clearing.send();
  clearing.acknowledged(idOf(7));

  await clock.pass(CLEAR_MS);
  clearing.acknowledged(sent[0].id);

  assert.equal(await asked, false);
});

test('without a connection nothing is done, and that is known at once', async () => {
  assert.equal(await opened(false).clearing.send(), false);
});
