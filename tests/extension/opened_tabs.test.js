import assert from 'node:assert/strict';
import { test } from 'node:test';

const SOON = new AbortController().signal;
const PAGE = { id: 2, url: 'https://shop.test/', title: 'Shop', status: 'complete' };

/** A browser that opens a tab, which is there as long as the test says. */
function browser(lastsMs) {
  let opened;
  const begun = performance.now();
  globalThis.chrome = {
    runtime: { getManifest: () => ({}) },
    storage: { local: { get: async () => ({}) } },
    tabs: {
      get: async (id) => {
        if (performance.now() - begun > lastsMs) throw new Error(`No tab with id: ${id}.`);
        return { ...PAGE };
      },
      onCreated: { addListener: (listener) => (opened = listener), removeListener: () => {} },
    },
  };
  return () => opened({ id: PAGE.id, openerTabId: 1 });
}

test('a tab whose page closes itself is complete for a moment, and closed [applications-039]', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  browser(0);
  const { OpenedTabs } = await import('../../extension/src/background/navigate/opened_tabs.ts');
  const described = async (lastsMs) => {
    const open = browser(lastsMs);
    const tabs = new OpenedTabs({ id: 1, active: true });
    await open();
    return tabs.described(SOON);
  };

  assert.deepEqual(await described(30), { opened_tab: 2, opened_closed: true });
  assert.deepEqual(await described(60_000), { opened_tab: 2, opened_url: PAGE.url, opened_title: PAGE.title });
});
