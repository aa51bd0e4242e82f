import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../extension/src/background/failure.ts';
import { GroupedWrites } from '../../extension/src/background/grouped_writes.ts';
import { acting } from '../../extension/src/background/permit/acting.ts';
import { Audit } from '../../extension/src/background/permit/audit.ts';
import { Leases } from '../../extension/src/background/permit/leases.ts';
import { PilotSwitch } from '../../extension/src/background/permit/pilot_switch.ts';
import { FakeClock, turn } from './fakes.js';

const ANN = { id: '0123456789abcdef', name: 'ann' };

/** An area of chrome.storage. */
const areaOf = (stored) => ({
  get: async () => structuredClone(stored),
  set: async (items) => void Object.assign(stored, structuredClone(items)),
});

/** The real rules over storage, tabs and hands that the test decides. */
function opened({ on = true, quiet = async () => false, session = {} } = {}) {
  const clock = new FakeClock();
  const now = () => 1_000_000 + clock.now;
  const said = [];
  const steps = [];
  const writes = [];
  const area = areaOf(session);
  const written = new GroupedWrites({ ...area, set: (items) => (writes.push(Object.keys(items)), area.set(items)) });
  const rules = {
    pilot: new PilotSwitch(areaOf({ aiWebPilotEnabled: on }), () => {}),
    leases: new Leases({ area: written, clock, now }),
    audit: new Audit({ area: written, report: (event) => said.push(event), now, id: () => `${said.length}` }),
    target: async (id) => {
      if (id === 404) throw new Failure('tab_not_found', 'No tab.');
      return { id: id || 5, url: 'http://shop.test/cart?secret=1' };
    },
    waitForIdleUser: async (tab, signal) => (steps.push(`quiet ${tab}`), quiet(tab, signal)),
    gather: async (tab) => void steps.push(`gather ${tab}`),
  };
  const act = async (tab, query) => (steps.push(`act ${tab.id}`), { success: true, query });
  return { rules, said, steps, act, session, writes, written };
}

const go = (handler, query = {}, signal = new AbortController().signal) => handler(query, signal, ANN);

test('what acts has its tab, its turn, quiet hands, and what it caused is fetched', async () => {
  const { rules, steps, act } = opened();

  const result = await go(acting(rules, 'execute', { act, yields: true }), { tab_id: 0, script: '1' });

  assert.deepEqual([result.query, steps], [{ script: '1' }, ['quiet 5', 'act 5', 'gather 5']]);
});

test('while it is switched off nothing is looked at and nothing is done', async () => {
  const { rules, steps, act, said } = opened({ on: false });

  await assert.rejects(go(acting(rules, 'execute', { act })), { message: /AI Web Pilot/ });

  assert.deepEqual([steps, said.map(({ outcome, tab }) => [outcome, tab])], [[], [['ai_web_pilot_disabled', 0]]]);
});

test('the audit has the client, the action, its place, time and outcome, and no value', async () => {
  const { rules, said, act } = opened();

  await go(acting(rules, 'execute', { act }), { script: 'SECRET' });

  const entry = {
    type: 'audit',
    ts: 1_000_000,
    client: 'ann',
    client_id: '01234567',
    action: 'execute',
    tab: 5,
    origin: 'http://shop.test',
    outcome: 'done',
    took_ms: 0,
  };
  assert.deepEqual(said, [entry]);
});

test('the audit has the detail of an action beside its name', async () => {
  const { rules, said, act } = opened();

  await go(acting(rules, 'interact', { act, detail: ({ action }) => action }), { action: 'click' });

  assert.equal(said[0].action, 'interact click');
});

test('quiet hands are awaited by what needs them alone', async () => {
  const { rules, steps, act } = opened();
  const handler = acting(rules, 'interact', { act, yields: ({ action }) => action === 'click' });

  await go(handler, { action: 'get_text' });
  await go(handler, { action: 'click' });

  assert.deepEqual(steps, ['act 5', 'gather 5', 'quiet 5', 'act 5', 'gather 5']);
});

test('what comes with the answer of a command that reads is not fetched beside it', async () => {
  const { rules, steps, act } = opened();

  await go(acting(rules, 'interact', { act, reads: true, gathers: ({ action }) => action === 'get_text' }), {
    action: 'get_text',
  });
  await go(acting(rules, 'analyze', { act, reads: true }));

  assert.deepEqual(steps, ['act 5', 'act 5', 'gather 5']);
});

test('a tab without an address has no origin in the audit', async () => {
  const { rules, said, act } = opened();
  rules.target = async () => ({ id: 5 });

  await go(acting(rules, 'execute', { act }));

  assert.equal(said[0].origin, '');
});

const outcomes = {
  'a script that threw': [async () => ({ success: false, error: 'Error: SECRET' }), 'failed'],
  'a failure': [
    async () => {
      throw new Failure('element_not_found', 'SECRET');
    },
    'element_not_found',
  ],
  'a defect': [
    async () => {
      throw new TypeError('SECRET');
    },
    'outcome_unknown', // it may have acted before
  ],
};
for (const [what, [act, outcome]] of Object.entries(outcomes)) {
  test(`${what} is written down as ${outcome}`, async () => {
    const { rules, said } = opened();

    await go(acting(rules, 'execute', { act })).catch(() => {});

    assert.deepEqual(
      said.map((event) => event.outcome),
      [outcome],
    );
    assert.ok(!JSON.stringify(said).includes('SECRET'));
  });
}

test('the page is written down that was there when the tab was free', async () => {
  const { rules, said } = opened({ quiet: async () => true });
  const urls = ['http://before.test/', 'http://after.test/'];
  rules.target = async () => ({ id: 5, url: urls.shift() });
  let seen;

  await go(acting(rules, 'execute', { act: async ({ url }) => ((seen = url), { success: true }), yields: true }));

  assert.deepEqual([seen, said[0].origin], ['http://after.test/', 'http://after.test']);
});

test('a tab that is not there is written down, too', async () => {
  const { rules, said, act } = opened();

  await assert.rejects(go(acting(rules, 'execute', { act }), { tab_id: 404 }));

  assert.deepEqual(
    said.map(({ outcome, tab }) => [outcome, tab]),
    [['tab_not_found', 0]],
  );
});

test('what the human switches off in the middle is ended and refused', async () => {
  const { rules, said } = opened();
  let ended;
  const act = (_, __, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => ((ended = true), reject(signal.reason))));
  const running = go(acting(rules, 'execute', { act }));
  await turn();

  rules.pilot.onChanged({ aiWebPilotEnabled: { newValue: false } });

  await assert.rejects(running, { message: /AI Web Pilot/ });
  assert.deepEqual([ended, said[0].outcome], [true, 'ai_web_pilot_disabled']);
});

test('what no caller waits for any more is cancelled', async () => {
  const { rules, said } = opened();
  const work = new AbortController();
  const act = (_, __, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const running = go(acting(rules, 'execute', { act }), {}, work.signal);
  await turn();

  work.abort(Symbol('cancelled'));

  await assert.rejects(running, (reason) => typeof reason === 'symbol');
  assert.equal(said[0].outcome, 'cancelled');
});

test('what waits for the human does not act when it was switched off meanwhile', async () => {
  const stored = { aiWebPilotEnabled: true };
  const { rules, steps, act } = opened({
    quiet: async () => ((stored.aiWebPilotEnabled = false), true),
  });
  rules.pilot = new PilotSwitch({ get: async () => ({ ...stored }) }, () => {});

  await assert.rejects(go(acting(rules, 'execute', { act, yields: true })), { message: /AI Web Pilot/ });

  assert.deepEqual(steps, ['quiet 5', 'gather 5']);
});

test('what waits for the human does not act when it was switched off meanwhile, though it is on again', async () => {
  const switched = (on) => rules.pilot.onChanged({ aiWebPilotEnabled: { newValue: on } });
  const { rules, steps, act } = opened({ quiet: async () => (switched(false), switched(true), false) });

  await assert.rejects(go(acting(rules, 'execute', { act, yields: true })), { message: /AI Web Pilot/ });

  assert.deepEqual(steps, ['quiet 5', 'gather 5']);
});

for (const deed of [{}, { tabless: true }]) {
  test(`what is abandoned before its turn does not act${deed.tabless ? ', nor in no tab' : ''}`, async () => {
    const { rules, steps, act, said } = opened();

    await assert.rejects(go(acting(rules, 'highlight', { act, ...deed }), {}, AbortSignal.abort(Symbol('cancelled'))));

    assert.ok(!steps.includes('act 5'));
    assert.deepEqual(
      said.map(({ outcome }) => outcome),
      ['cancelled'],
    );
  });
}

test('what touches no tab takes no turn', async () => {
  const { rules, steps, said } = opened();
  const act = async () => ({ snapshots: [] });

  await go(acting(rules, 'list_states', { act, tabless: true }), { tab_id: 9 });

  assert.deepEqual([steps, said[0].tab], [[], 0]);
});

test('a long act that a worker did not end is reported, however many came after it', async () => {
  const { rules, session } = opened();
  await rules.audit.begin('execute', ANN);
  await rules.audit.store();
  for (let count = 0; count < 30; count++) await rules.audit.end(await rules.audit.begin('highlight', ANN), 'done');

  const next = opened({ session });
  await turn();

  assert.deepEqual(
    next.said.map(({ action, outcome }) => [action, outcome]),
    [['execute', 'outcome_unknown']],
  );
});

test('what a worker began and did not end is reported by its next life', async () => {
  const { rules, session } = opened();
  await rules.audit.begin('execute', ANN);
  await rules.audit.store();

  const next = opened({ session });
  await turn();

  assert.deepEqual(
    next.said.map(({ action, outcome }) => [action, outcome]),
    [['execute', 'outcome_unknown']],
  );
});

test('a defect before the act is no unknown outcome', async () => {
  const { rules, act, steps } = opened({
    quiet: async () => {
      throw new TypeError('early');
    },
  });

  await assert.rejects(go(acting(rules, 'execute', { act, yields: true })), TypeError);
  assert.ok(!steps.includes('act 5'));
});

test('an act that fails without a reason of its own may have been done [faults-023]', async () => {
  const { rules } = opened();
  const act = async () => {
    throw new Error('the worker stops');
  };

  await assert.rejects(go(acting(rules, 'execute', { act })), ({ fault }) => {
    assert.deepEqual(fault, { code: 'outcome_unknown', message: 'The extension failed: the worker stops' });
    return true;
  });
});

test('what was aborted has stopped before the next act begins', async () => {
  const { rules, steps } = opened();
  const ending = new AbortController();
  let stop;
  const slow = () => new Promise((done) => (stop = () => (steps.push('stopped'), done({ success: true }))));
  const first = go(acting(rules, 'execute', { act: slow }), {}, ending.signal).catch(() => {});
  for (let turns = 0; turns < 10; turns++) await turn();

  ending.abort(new Error('gone'));
  const second = go(acting(rules, 'execute', { act: async () => (steps.push('second'), { success: true }) }));
  for (let turns = 0; turns < 10; turns++) await turn();
  stop();
  await Promise.all([first, second]);

  assert.deepEqual(
    steps.filter((step) => !step.startsWith('gather')),
    ['stopped', 'second'],
  );
});

test('a tab is looked at once, and strike, entry and lease are one write, before the act [fast-014]', async () => {
  const { rules, act, steps, writes, written } = opened();
  const looks = [];
  rules.target = async (id) => (looks.push(id), { id: 5, url: 'http://shop.test/' });
  const done = async (...given) => (steps.push([...writes]), act(...given));

  await acting(rules, 'execute', { act: done, yields: true })({}, new AbortController().signal, ANN, () =>
    written.set({ 'done:1': {} }),
  );

  assert.deepEqual([looks, steps[1].map((keys) => keys.toSorted())], [[undefined], [['audit', 'done:1', 'leases']]]);
});

test('an act that had to wait for its turn sees the tab that is there then [fast-015]', async () => {
  const { rules, act } = opened();
  const looks = [];
  rules.target = async (id) => (looks.push(id), { id: 5, url: `http://shop.test/${looks.length}` });
  let end;
  const other = rules.leases.hold(5, ANN, new AbortController().signal, () => new Promise((done) => (end = done)));
  await turn();

  const running = go(acting(rules, 'execute', { act }));
  await turn();
  end();
  await Promise.all([other, running]);

  assert.deepEqual(looks, [undefined, 5]);
});

test('nothing is recorded of an act that only reads before it [fast-023]', async () => {
  const { rules, act, writes } = opened();
  const seen = [];
  const reads = ({ action }) => action === 'get_text';
  const begin = async () => void seen.push('begun');
  const handler = acting(rules, 'interact', { act: async () => (seen.push(...writes), act({ id: 5 })), reads });

  await handler({ action: 'get_text' }, new AbortController().signal, ANN, begin);

  assert.deepEqual(seen, []);
});

test('what only reads takes no turn and waits for nobody, but for the switch, and is audited [analyze-005]', async () => {
  const { rules, said, steps, act } = opened();
  const off = opened({ on: false });
  let end;
  const holding = rules.leases.hold(5, { id: 'other', name: 'bob' }, new AbortController().signal, () => {
    return new Promise((done) => (end = done));
  });

  await go(acting(rules, 'analyze', { act, reads: true, detail: ({ what }) => what }), { tab_id: 5, what: 'audit a' });
  end();
  await holding;
  const refused = go(acting(off.rules, 'analyze', { act: off.act, reads: true }));

  await assert.rejects(refused, { message: /AI Web Pilot/ });
  assert.deepEqual([steps, said.map(({ action }) => action)], [['act 5', 'gather 5'], ['analyze audit a']]);
});

test('a fault while reading has done nothing: its outcome is known', async () => {
  const { rules } = opened();
  const act = async () => {
    throw new Error('broke');
  };

  await assert.rejects(go(acting(rules, 'analyze', { act, reads: true })), { message: 'broke' });
});
