import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HELD_MS, Leases, WAIT_MS } from '../../extension/src/background/permit/leases.ts';
import { FakeClock, turn } from './fakes.js';

const [ANN, BOB] = [
  { id: 'a', name: 'ann' },
  { id: 'b', name: 'bob' },
];
const TAB = 7;
const never = () => new AbortController().signal;

/** Leases over an area that a next life of the worker can read. */
function opened(stored = {}, clock = new FakeClock()) {
  const area = {
    get: async () => structuredClone(stored),
    set: async (items) => void Object.assign(stored, structuredClone(items)),
  };
  return { leases: new Leases({ area, clock, now: () => clock.now + 1_000_000 }), clock, stored };
}

/** Acts whose ends the test decides, and the order in which they began. */
function acts(leases) {
  const begun = [];
  const ends = {};
  const begin = (name, client, tab = TAB, signal = never()) =>
    leases.hold(tab, client, signal, () => {
      begun.push(name);
      return new Promise((done) => (ends[name] = () => done(name)));
    });
  return { begun, ends, begin };
}

const leased = (holder) => (fault) => fault.fault.code === 'tab_leased' && fault.fault.details.holder === holder;

test('two clients act in two tabs at once', async () => {
  const { begun, begin } = acts(opened().leases);

  begin('one', ANN, 1);
  begin('two', BOB, 2);
  await turn();

  assert.deepEqual(begun, ['one', 'two']);
});

test('calls of one client in one tab go one after the other', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('first', ANN);
  const second = begin('second', ANN);
  await clock.pass(3 * WAIT_MS);
  const before = [...begun];

  ends.first();
  await turn();
  ends.second();

  assert.deepEqual([before, await second], [['first'], 'second']);
});

test('another waits until the tab is returned', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('ann', ANN);
  begin('bob', BOB);
  await clock.pass(1000);
  ends.ann();
  await clock.pass(1000);
  const before = [...begun];

  await leases.release(ANN);
  await turn();

  assert.deepEqual([before, begun], [['ann'], ['ann', 'bob']]);
});

test('the next step of the client that acted goes before another that waits', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('ann 1', ANN);
  begin('bob', BOB).catch(() => {});
  await clock.pass(100);
  ends['ann 1']();
  await clock.pass(100);

  begin('ann 2', ANN);
  await clock.pass(100);

  assert.deepEqual(begun, ['ann 1', 'ann 2']);
});

test('a client that acts no more loses the tab after a moment', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('ann', ANN);
  await turn();
  ends.ann();
  await turn();
  await clock.pass(1000);

  begin('bob', BOB);
  await clock.pass(HELD_MS - 1001);
  const before = [...begun];
  await clock.pass(2);

  assert.deepEqual([before, begun], [['ann'], ['ann', 'bob']]);
});

test('a tab that stays busy is refused after a while, with its holder', async () => {
  const { leases, clock } = opened();
  const { begin } = acts(leases);
  begin('ann', ANN);
  const refused = assert.rejects(begin('bob', BOB), leased('ann'));

  await clock.pass(WAIT_MS + 1);

  await refused;
});

test('a long lease is refused at once, with the time that is left', async () => {
  const { leases, clock } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));
  await clock.pass(10_000);

  await assert.rejects(
    acts(leases).begin('bob', BOB),
    (fault) => leased('ann')(fault) && fault.fault.details.expires_in_s === 50,
  );
});

test('each act renews a lease', async () => {
  const { leases, clock } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));
  await clock.pass(50_000);
  await leases.hold(TAB, ANN, never(), async () => {});
  await clock.pass(50_000);

  await assert.rejects(acts(leases).begin('bob', BOB), leased('ann'));
});

test('leases outlive the worker', async () => {
  const { leases, clock, stored } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));
  await turn();

  const next = opened(stored, clock).leases;

  await assert.rejects(acts(next).begin('bob', BOB), leased('ann'));
  assert.deepEqual(await next.release(ANN), [TAB]);
});

test('what a former life of the worker leased is forgotten, too, when no client may act any more', async () => {
  const { leases, clock, stored } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));
  await turn();
  const next = opened(stored, clock).leases;

  next.forgetAll();

  assert.equal(await next.hold(TAB, BOB, never(), async () => 'bob'), 'bob');
});

test('a client that acts on where it has returned the tab is named as its holder', async () => {
  const { leases, clock } = opened();
  const { begin } = acts(leases);
  begin('ann', ANN);
  await turn();
  await leases.release(ANN);

  const refused = assert.rejects(begin('bob', BOB), leased('ann'));
  await clock.pass(WAIT_MS + 1);

  await refused;
});

test('no client returns what another holds', async () => {
  const { leases } = opened();
  await leases.hold(TAB, ANN, never(), async () => {});

  assert.deepEqual(
    [await leases.release(BOB), await leases.release(ANN, 8), await leases.release(ANN, TAB)],
    [[], [], [TAB]],
  );
});

test('a client that gives up waiting does not act later', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  const patience = new AbortController();
  begin('ann', ANN);
  const waiting = begin('bob', BOB, TAB, patience.signal);
  await turn();

  patience.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  ends.ann();
  await clock.pass(HELD_MS * 2);

  assert.deepEqual(begun, ['ann']);
});

test('an act that fails gives the tab back as one that succeeds', async () => {
  const { leases } = opened();
  await assert.rejects(
    leases.hold(TAB, ANN, never(), async () => {
      throw new Error('broken');
    }),
    /broken/,
  );

  assert.equal(await leases.hold(TAB, ANN, never(), async () => 'next'), 'next');
});

test('a closed tab has no holder', async () => {
  const { leases } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));

  leases.forget(TAB);

  assert.equal(await leases.hold(TAB, BOB, never(), async () => 'bob'), 'bob');
});

test('a refusal names the tab, its holder and the way out', async () => {
  const { leases } = opened();
  await leases.hold(TAB, { id: 'c', name: '' }, never(), async () => leases.keep(TAB, { id: 'c', name: '' }, 60_000));

  await assert.rejects(acts(leases).begin('bob', BOB), (fault) => {
    assert.equal(fault.message, 'Tab 7 is held by another assistant, for 60 s unless it acts again.');
    assert.equal(fault.fault.recovery, 'Act in another tab, or call again then.');
    return true;
  });
});

test('a tab is held from the end of an act, however long that took', async () => {
  const { leases, clock } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('ann', ANN);
  await clock.pass(2 * HELD_MS);
  ends.ann();
  await turn();

  begin('bob', BOB);
  await clock.pass(HELD_MS - 1);
  const before = [...begun];
  await clock.pass(2);

  assert.deepEqual([before, begun], [['ann'], ['ann', 'bob']]);
});

test('a tab that was returned during an act is free at its end', async () => {
  const { leases } = opened();
  const { begun, ends, begin } = acts(leases);
  begin('ann', ANN);
  await turn();
  await leases.release(ANN);
  begin('bob', BOB);

  ends.ann();
  await turn();

  assert.deepEqual(begun, ['ann', 'bob']);
});

test('a lease that has run out is not there to be returned', async () => {
  const { leases, clock } = opened();
  await leases.hold(TAB, ANN, never(), async () => {});
  await clock.pass(HELD_MS);

  assert.deepEqual(await leases.release(ANN), []);
});

test('only leases that last are stored', async () => {
  const { leases, clock, stored } = opened();
  await leases.hold(1, ANN, never(), async () => {});
  await clock.pass(HELD_MS);
  await leases.hold(2, ANN, never(), async () => {});
  await turn();

  assert.deepEqual(
    stored.leases.map(([tab]) => tab),
    [2],
  );
});

test('a worker that ends during an act leaves the tab to who acted there', async () => {
  const { leases, clock, stored } = opened();
  const { begin } = acts(leases);
  begin('ann', ANN);
  await turn();

  const next = acts(opened(stored, clock).leases);
  next.begin('bob', BOB);
  await clock.pass(HELD_MS - 1);
  const before = [...next.begun];
  await clock.pass(2);

  assert.deepEqual([before, next.begun], [[], ['bob']]);
});

test('a worker that ends during an act that asked for more leaves it the longer lease', async () => {
  const { leases, clock, stored } = opened();
  const { begin } = acts(leases);
  begin('ann', ANN);
  await turn();
  leases.keep(TAB, ANN, 60_000);
  await turn();

  await assert.rejects(acts(opened(stored, clock).leases).begin('bob', BOB), leased('ann'));
});

test('what a former life of the worker leased is returned, and dropped with its tab', async () => {
  const { leases, clock, stored } = opened();
  await leases.hold(TAB, ANN, never(), async () => leases.keep(TAB, ANN, 60_000));
  await leases.hold(8, ANN, never(), async () => leases.keep(8, ANN, 60_000));
  await turn();
  const next = opened(stored, clock).leases;
  const another = opened(structuredClone(stored), clock).leases;

  await another.forget(8);

  assert.deepEqual(await next.release(ANN, TAB), [TAB]);
  assert.equal(await another.hold(8, BOB, never(), async () => 'bob'), 'bob');
});

test('a storage that cannot be read keeps no client from acting', async () => {
  const area = { get: () => Promise.reject(new Error('away')), set: () => Promise.reject(new Error('away')) };
  const leases = new Leases({ area, clock: new FakeClock(), now: () => 1 });

  assert.equal(await leases.hold(TAB, ANN, never(), async () => 'ann'), 'ann');
});
