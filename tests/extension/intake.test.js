import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNK_LIMITS, isChunk } from '../../extension/src/background/capture/chunks.ts';
import { EventCounters } from '../../extension/src/background/capture/event_counters.ts';
import { Intake } from '../../extension/src/background/capture/intake.ts';
import { RateLimits, TAB_LIMITS } from '../../extension/src/background/capture/limits.ts';
import { isOwnPage, placeOf } from '../../extension/src/background/link/senders.ts';
import { valuesFrom } from '../../extension/src/shared/settings.ts';
import { chunkOf, FakeArea, FakeClock, idOf } from './fakes.js';

const PLACE = { tab: 12, frame: 3 };
const SITE = 'https://shop.test';
const log = { ts: 1, type: 'console', level: 'log', args: [] };

/** An intake, and what it put into its outbox. */
function opened(stored = {}) {
  const clock = new FakeClock();
  const now = () => clock.now;
  const put = [];
  const counters = new EventCounters({ area: new FakeArea(), clock, now });
  const outbox = { put: async (chunk) => void put.push(chunk) };
  const all = { values: valuesFrom(stored), put, counters };
  all.intake = new Intake({ settings: async () => all.values, limits: new RateLimits(), counters, outbox, now });
  return all;
}

test('a chunk is placed where Chrome reports that it comes from, not where it claims', async () => {
  const { intake, put } = opened();

  await intake.take([{ ...chunkOf(1), tab: 99, frame: 99, extra: 'x' }], PLACE, SITE);

  assert.deepEqual(put, [{ ...chunkOf(1), tab: 12, frame: 3 }]);
});

test('the answer is what is to be captured there', async () => {
  const { intake } = opened({ captureNetworkBodies: true });

  assert.deepEqual(await intake.take([], PLACE, SITE), {
    capture: { on: true, websockets: true, bodies: true },
    excluded: false,
  });
});

test('[003-071] what comes from another tab than the tracked one is discarded, uncounted, and the tab is informed', async () => {
  const { intake, put, counters } = opened({ trackedTabId: 7 });

  const { capture } = await intake.take([chunkOf(1)], PLACE, SITE);

  assert.equal(capture.on, false);
  assert.deepEqual([put, counters.counts.captured, counters.counts.dropped], [[], {}, {}]);
});

test('what the human has switched off is left out, also if the page was sent otherwise before', async () => {
  const { intake, put } = opened({ captureWebSockets: false });
  const body = { ts: 1, type: 'network_body' };
  const frame = { ts: 1, type: 'websocket' };

  await intake.take([{ ...chunkOf(1), events: [body, log, frame] }], PLACE, SITE);

  assert.deepEqual(put[0].events, [log]);
});

test('a chunk that comes by two ways is taken, and counted, once', async () => {
  const { intake, put, counters } = opened();

  await Promise.all([intake.take([chunkOf(1)], PLACE, SITE), intake.take([chunkOf(1), chunkOf(2)], PLACE, SITE)]);
  await intake.take([chunkOf(1)], PLACE, SITE);

  assert.deepEqual(
    put.map(({ id }) => id),
    [idOf(1), idOf(2)],
  );
  assert.deepEqual(counters.counts.captured, { console: 2 });
});

test("what goes beyond a tab's limit is dropped and counted, by type", async () => {
  const { intake, put, counters } = opened();
  await intake.take([chunkOf(1, Array(TAB_LIMITS.burst - 1).fill(log))], PLACE, SITE);

  await intake.take([chunkOf(2, [log, log, { ...log, type: 'error' }, log])], PLACE, SITE);

  const told = put[1].events.slice(1).map(({ type, of, count, why }) => [type, of, count, why]);
  assert.equal(put[1].events.length, 3);
  assert.deepEqual(told, [
    ['dropped', 'console', 2, 'rate'],
    ['dropped', 'error', 1, 'rate'],
  ]);
  assert.deepEqual(counters.counts.dropped, { console: 2, error: 1 });
});

test('a chunk that is far too large becomes a count', async () => {
  const { intake, put } = opened();

  await intake.take([chunkOf(1, [{ ...log, args: ['x'.repeat(CHUNK_LIMITS.bytes)] }])], PLACE, SITE);

  assert.deepEqual(
    put[0].events.map(({ type, of, count, why }) => [type, of, count, why]),
    [['dropped', 'console', 1, 'space']],
  );
});

test('chunks that are no list are nothing', async () => {
  const { intake, put } = opened();

  for (const chunks of [undefined, null, {}, 'x', 7]) await intake.take(chunks, PLACE, SITE);

  assert.deepEqual(put, []);
});

const bad = {
  null: null,
  'a list': [],
  'one without an id': { ...chunkOf(1), id: undefined },
  'an id in capitals': { ...chunkOf(1), id: 'A'.repeat(32) },
  'a short id': { ...chunkOf(1), id: 'a' },
  'a load that is no load': { ...chunkOf(1), load: 'zzzzzzzz' },
  'a page that is a number': { ...chunkOf(1), page: 7 },
  'a page without end': { ...chunkOf(1), page: 'x'.repeat(CHUNK_LIMITS.pageCharacters + 1) },
  'no events': { ...chunkOf(1), events: [] },
  'events that are an object': { ...chunkOf(1), events: { length: 1 } },
  'too many events': chunkOf(1, Array(CHUNK_LIMITS.events + 1).fill(log)),
};
for (const [what, value] of Object.entries(bad)) {
  test(`no chunk: ${what}`, () => {
    assert.equal(isChunk(value), false);
  });
}

const badEvents = {
  'one that is null': null,
  'one of an unknown kind': { ts: 1, type: 'constructor' },
  'one of a kind that only the worker makes': { ts: 1, type: 'state' },
  'one without a time': { type: 'console' },
};
for (const [what, event] of Object.entries(badEvents)) {
  test(`a bad event costs itself and not its chunk: ${what}`, async () => {
    const { intake, put } = opened();

    await intake.take([chunkOf(1, [log, event, log])], PLACE, SITE);

    assert.deepEqual(put[0].events, [log, log]);
  });
}

const SELF = { id: 'ours', origin: 'chrome-extension://ours' };
const content = { id: 'ours', tab: { id: 12 }, frameId: 3, origin: 'http://a', url: 'http://a/x' };

test('a content script of ours is known by its place', () => {
  assert.deepEqual(placeOf(content, SELF), PLACE);
  assert.deepEqual(placeOf({ ...content, origin: 'null', url: 'about:blank', frameId: 0 }, SELF), {
    tab: 12,
    frame: 0,
  });
});

const strangers = {
  'another extension': { ...content, id: 'other' },
  'a page of the extension in a tab': { ...content, origin: SELF.origin, url: `${SELF.origin}/popup/popup.html` },
  'a page of the extension whose origin is not told': {
    ...content,
    origin: undefined,
    url: `${SELF.origin}/popup/popup.html`,
  },
  'someone without a tab': { ...content, tab: undefined },
  'a tab of the developer tools': { ...content, tab: { id: -1 } },
  'someone without a frame': { ...content, frameId: undefined },
};
for (const [who, sender] of Object.entries(strangers)) {
  test(`${who} has no place`, () => {
    assert.equal(placeOf(sender, SELF), null);
  });
}

test('only a page of the extension may ask to clear', () => {
  assert.equal(isOwnPage({ id: 'ours', origin: SELF.origin }, SELF), true);
  assert.equal(isOwnPage(content, SELF), false);
  assert.equal(isOwnPage(undefined, SELF), false);
});

test('nothing of an excluded site is taken in, by the site that Chrome states and by the page of each chunk [sites-002]', async () => {
  const { intake, put, values } = opened({ deniedSites: ['*.bank.example'] });
  const ofBank = { ...chunkOf(2), page: 'https://bank.example/account' };

  const { capture, excluded } = await intake.take([chunkOf(1)], PLACE, 'https://www.bank.example');
  await intake.take([ofBank], PLACE, SITE);
  await intake.admit([ofBank], PLACE, values);

  assert.deepEqual([capture.on, excluded, put], [false, true, []]);
});
