import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../extension/src/background/failure.ts';
import { PilotSwitch } from '../../extension/src/background/permit/pilot_switch.ts';

/** A switch that stands as the test says. */
function opened(stored = {}) {
  const told = [];
  const area = { get: async () => ({ ...stored }) };
  return { pilot: new PilotSwitch(area, (on) => told.push(on)), told, stored };
}

const CODE = (fault) => fault instanceof Failure && fault.fault.code === 'ai_web_pilot_disabled';

for (const value of [undefined, false, null, 1, 'true', {}, []]) {
  test(`stored as ${JSON.stringify(value)} it is off`, async () => {
    const { pilot } = opened({ aiWebPilotEnabled: value });

    assert.equal(await pilot.isOn(), false);
    await assert.rejects(pilot.demand(), CODE);
  });
}

test('stored as true it is on', async () => {
  const { pilot } = opened({ aiWebPilotEnabled: true });

  assert.equal(await pilot.isOn(), true);
  assert.equal((await pilot.demand()).aborted, false);
});

test('what cannot be read is off', async () => {
  const pilot = new PilotSwitch(
    {
      get: async () => {
        throw new Error('storage is away');
      },
    },
    () => {},
  );

  await assert.rejects(pilot.demand(), CODE);
});

test('what cannot be read for a moment is read again: a worker that is being ended may not answer that it is off', async () => {
  let reads = 0;
  const get = async () => {
    if (++reads < 3) throw new Error('the worker is going away');
    return { aiWebPilotEnabled: true };
  };
  const pilot = new PilotSwitch({ get }, () => {});

  assert.equal((await pilot.demand()).aborted, false);
});

test('the refusal has the words of the specification', async () => {
  const { pilot } = opened();

  await assert.rejects(pilot.demand(), { message: "Enable 'AI Web Pilot' in extension popup to use this tool" });
});

test('what acts is ended when it is switched off', async () => {
  const { pilot, told } = opened({ aiWebPilotEnabled: true });
  const signal = await pilot.demand();

  pilot.onChanged({ aiWebPilotEnabled: { newValue: false } });

  assert.deepEqual([signal.aborted, CODE(signal.reason), told], [true, true, [false]]);
});

test('what is switched on again does not end what begins then', async () => {
  const { pilot, told } = opened({ aiWebPilotEnabled: true });
  pilot.onChanged({ aiWebPilotEnabled: {} });
  pilot.onChanged({ aiWebPilotEnabled: { newValue: true } });

  assert.deepEqual([(await pilot.demand()).aborted, told], [false, [false, true]]);
});

test('switched off while it is read, it is off', async () => {
  const { pilot } = opened({ aiWebPilotEnabled: true });
  const demanded = pilot.demand();
  pilot.onChanged({ aiWebPilotEnabled: { newValue: false } });

  await assert.rejects(demanded, CODE);
});

test('switched on while it is read, it is on', async () => {
  const { pilot, stored } = opened({ aiWebPilotEnabled: false });
  const read = pilot.isOn();
  pilot.onChanged({ aiWebPilotEnabled: { newValue: true } });
  stored.aiWebPilotEnabled = true;

  assert.equal(await read, true);
});

test('other settings do not concern it', () => {
  const { pilot, told } = opened();

  pilot.onChanged({ captureWebSockets: { newValue: false } });

  assert.deepEqual(told, []);
});

test('what acts goes on when it is switched on once more', async () => {
  const { pilot } = opened({ aiWebPilotEnabled: true });
  const signal = await pilot.demand();

  pilot.onChanged({ aiWebPilotEnabled: { newValue: true } });

  assert.equal(signal.aborted, false);
});
