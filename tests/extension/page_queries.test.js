import assert from 'node:assert/strict';
import { test } from 'node:test';

const SOON = new AbortController().signal;
const PAGE = 'https://shop.test/';

/**
 * A browser whose tab has no content script until files were injected; the page is replaced during the first so many
 * injections, by a page with this address.
 */
function browser(replaced, address = PAGE) {
  const seen = { injected: 0, has: false, url: PAGE };
  globalThis.chrome = {
    runtime: { getManifest: () => ({}) },
    storage: { local: { get: async () => ({}) } },
    tabs: {
      get: async (id) => ({ id, url: seen.url }),
      sendMessage: async () => {
        if (!seen.has) throw new Error('Could not establish connection. Receiving end does not exist.');
        return { result: 'answered' };
      },
    },
    scripting: {
      executeScript: async ({ target }) => {
        if (target.allFrames) return;
        if (seen.injected++ >= replaced) seen.has = true;
        else {
          seen.url = address;
          throw new Error('Frame with ID 0 was removed.');
        }
      },
    },
  };
  return seen;
}

test('a page that is replaced while files are injected is no refusal: the one that came is asked', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  browser(0);
  const { askPage } = await import('../../extension/src/background/tabs/page_queries.ts');
  const ask = (name) => askPage({ id: 1, url: PAGE }, name, {}, SOON);

  const once = browser(1);
  assert.equal(await ask('page_load'), 'answered');
  assert.equal(once.injected, 2);

  browser(9);
  await assert.rejects(ask('page_load'), ({ fault }) => fault.code === 'page_navigated');
});

test('a page that may not be asked and came meanwhile gets no files', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  const closed = browser(1, 'chrome-error://chromewebdata/');
  const { askPage } = await import('../../extension/src/background/tabs/page_queries.ts');

  await assert.rejects(
    askPage({ id: 1, url: PAGE }, 'outline', {}, SOON),
    ({ fault }) => fault.details.reason === 'error_page',
  );
  assert.equal(closed.injected, 1);
});
