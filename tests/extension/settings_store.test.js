import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsStore } from '../../extension/src/background/capture/settings_store.ts';
import { captureIn, valuesFrom } from '../../extension/src/shared/settings.ts';
import { FakeArea } from './fakes.js';

const AT_FIRST = {
  captureWebSockets: true,
  captureNetworkBodies: false,
  captureAllTabs: true,
  hidePersonalData: false,
  trackedTabId: null,
  trackedTabUrl: '',
  sites: { denied: [], allowed: [], damaged: false },
};

function opened(items = {}) {
  const area = Object.assign(new FakeArea(), { items });
  const heard = [];
  const settings = new SettingsStore(area, (values) => heard.push(values));
  return { area, heard, settings };
}

test('[002-061] [002-090] at first WebSockets are captured and network bodies are not', () => {
  assert.deepEqual(valuesFrom({}), AT_FIRST);
});

test('what is damaged is as at first', () => {
  const damaged = {
    captureWebSockets: 'no',
    captureNetworkBodies: 1,
    captureAllTabs: null,
    trackedTabId: 'x',
    trackedTabUrl: 7,
  };

  assert.deepEqual(valuesFrom(damaged), AT_FIRST);
});

test('what the human has set counts', async () => {
  const { settings } = opened({ captureNetworkBodies: true, trackedTabId: 7, trackedTabUrl: 'http://a/' });

  assert.deepEqual(await settings.read(), {
    ...AT_FIRST,
    captureNetworkBodies: true,
    trackedTabId: 7,
    trackedTabUrl: 'http://a/',
  });
});

test('a change is seen, and reported with everything that holds then', async () => {
  const { settings, heard } = opened({ captureWebSockets: false });

  await settings.onChanged({ captureNetworkBodies: { newValue: true } });

  assert.deepEqual(heard, [{ ...AT_FIRST, captureWebSockets: false, captureNetworkBodies: true }]);
  assert.deepEqual(await settings.read(), heard[0]);
});

test('a change that has woken the worker is reported, though what is read then is new already', async () => {
  const { settings, heard } = opened({ captureNetworkBodies: false });

  await settings.onChanged({ captureNetworkBodies: { oldValue: true, newValue: false } });

  assert.deepEqual(heard, [AT_FIRST]);
});

test('[003-078] a setting that was removed is as at first', async () => {
  const { settings, heard } = opened({ trackedTabId: 7, trackedTabUrl: 'http://a/' });

  await settings.onChanged({ trackedTabId: { oldValue: 7 }, trackedTabUrl: { oldValue: 'http://a/' } });

  assert.deepEqual(heard, [AT_FIRST]);
});

test('what changes nothing, or is not ours, is not reported', async () => {
  const { settings, heard } = opened();

  await settings.onChanged({ captureWebSockets: { newValue: true } });
  await settings.onChanged({ other: { newValue: 1 } });

  assert.deepEqual(heard, []);
});

test('changes that come together are both kept', async () => {
  const { settings, heard } = opened();

  await Promise.all([
    settings.onChanged({ captureNetworkBodies: { newValue: true } }),
    settings.onChanged({ trackedTabId: { newValue: 7 } }),
  ]);

  assert.deepEqual(await settings.read(), { ...AT_FIRST, captureNetworkBodies: true, trackedTabId: 7 });
  assert.equal(heard.length, 2);
});

test('the storage is asked once', async () => {
  const { settings, area } = opened();
  await settings.read();
  area.items.captureNetworkBodies = true;

  assert.equal((await settings.read()).captureNetworkBodies, false);
});

test('a read that failed is an error for its caller, and the next one reads again', async () => {
  const { settings, area } = opened({ captureNetworkBodies: true });
  area.closed = true;
  await assert.rejects(settings.read(), /cannot be read/);
  area.closed = false;

  assert.equal((await settings.read()).captureNetworkBodies, true);
});

test('a failure that several wait for spoils none of the reads after it', async () => {
  const { settings, area } = opened({ trackedTabId: 7 });
  area.closed = true;
  const first = await Promise.allSettled([settings.read(), settings.read()]);
  area.closed = false;

  const values = await Promise.all([settings.read(), settings.read()]);

  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(
    values.map(({ trackedTabId }) => trackedTabId),
    [7, 7],
  );
});

test('[003-071] while a tab is tracked, it alone is captured', () => {
  const values = valuesFrom({ trackedTabId: 7 });

  assert.deepEqual([captureIn(values, 7).on, captureIn(values, 8).on], [true, false]);
});

test('while none is tracked, every tab is captured, unless that is switched off', () => {
  assert.equal(captureIn(valuesFrom({}), 7).on, true);
  assert.equal(captureIn(valuesFrom({ captureAllTabs: false }), 7).on, false);
});

test('a content script is sent the switches that concern it', () => {
  const values = valuesFrom({ captureWebSockets: false, captureNetworkBodies: true });

  assert.deepEqual(captureIn(values, 7), { on: true, websockets: false, bodies: true });
});

test('what was saved is in force once it is read again, before its change is heard of [sites-003]', async () => {
  const { area, heard, settings } = opened();
  await settings.read();
  await area.set({ deniedSites: ['bank.example'] });
  const before = (await settings.read()).sites.denied;
  await settings.refresh();
  await settings.refresh();

  assert.deepEqual(before, []);
  assert.deepEqual((await settings.read()).sites.denied, ['bank.example']);
  assert.deepEqual(
    heard.map(({ sites }) => sites.denied),
    [['bank.example']],
  );
});
