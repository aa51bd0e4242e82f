import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarlySettings } from '../../extension/src/background/capture/early_settings.ts';
import { valuesFrom } from '../../extension/src/shared/settings.ts';

/** What of chrome.scripting registers scripts; as there, to register one twice is an error. */
class FakeRegistry {
  scripts = [];

  getRegisteredContentScripts = async () => this.scripts;

  registerContentScripts = async (scripts) => {
    if (scripts.some(({ id }) => this.ids().includes(id))) throw new Error('Duplicate script ID');
    this.scripts = [...this.scripts, ...scripts];
  };

  unregisterContentScripts = async ({ ids }) => {
    this.scripts = this.scripts.filter(({ id }) => !ids.includes(id));
  };

  ids = () => this.scripts.map(({ id }) => id).sort();
}

/** @param {Record<string, unknown>} stored */
const wishes = ({ pilotOn = false, ...stored }) => ({ ...valuesFrom(stored), pilotOn });

const cases = [
  [{}, []],
  [{ captureNetworkBodies: true }, ['early_bodies']],
  [{ captureWebSockets: false }, ['early_no_websockets']],
  [{ pilotOn: true }, ['early_dialogs']],
  [{ deniedSites: ['bank.example'] }, ['early_denied']],
  [{ allowedSites: ['localhost:3000'] }, ['early_not_allowed']],
  [{ deniedSites: 'damaged' }, ['early_denied']],
  [{ captureNetworkBodies: true, captureWebSockets: false }, ['early_bodies', 'early_no_websockets']],
];
for (const [stored, ids] of cases) {
  test(`with ${JSON.stringify(stored)} set, pages begin with ${ids.join(' and ') || 'nothing'}`, async () => {
    const registry = new FakeRegistry();

    await new EarlySettings(registry).apply(wishes(stored));

    assert.deepEqual(registry.ids(), ids);
  });
}

test('they run in every frame, before the page, in a world of their own', async () => {
  const registry = new FakeRegistry();

  await new EarlySettings(registry).apply(wishes({ captureNetworkBodies: true }));

  assert.deepEqual(registry.scripts[0], {
    id: 'early_bodies',
    js: ['content/early_bodies.js'],
    matches: ['<all_urls>'],
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: 'document_start',
    world: 'ISOLATED',
  });
});

test('settings that change quickly end as the last one', async () => {
  const registry = new FakeRegistry();
  const presets = new EarlySettings(registry);

  await Promise.all(
    [true, false, true, false].map((captureNetworkBodies) => presets.apply(wishes({ captureNetworkBodies }))),
  );

  assert.deepEqual(registry.ids(), []);
});

test('what is registered already is left alone', async () => {
  const registry = new FakeRegistry();
  await new EarlySettings(registry).apply(wishes({ captureNetworkBodies: true }));

  await new EarlySettings(registry).apply(wishes({ captureNetworkBodies: true }));

  assert.deepEqual(registry.ids(), ['early_bodies']);
});

test('what keeps Gasoline out of sites runs there and nowhere else, by the lists as they are [sites-003]', async () => {
  const registry = new FakeRegistry();
  const presets = new EarlySettings(registry);
  const pages = () => registry.scripts.map(({ js, matches, excludeMatches }) => [js[0], matches, excludeMatches]);
  await presets.apply(wishes({ deniedSites: ['a.example'] }));
  await presets.apply(wishes({ deniedSites: ['*.b.example:8080', 'file://'], allowedSites: ['c.example'] }));

  assert.deepEqual(pages(), [
    ['content/early_excluded.js', ['*://*.b.example:8080/*', 'file:///*'], undefined],
    ['content/early_excluded.js', ['<all_urls>'], ['*://c.example/*']],
  ]);
});
