// What is reported of a page that loads on and on, which takes 20 s in a real browser, and the requests of one that does
// not rest, which end there when they will.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const SOON = new AbortController().signal;
const SHOWN = { id: 1, url: 'http://shop.test/' };
const FAILED = { id: '7', url: 'http://shop.test/gone.js', method: 'GET', type: 'script', status: 404, error: '' };

/** A browser whose page answers so, or hangs. */
function answering(answer) {
  return {
    runtime: { getManifest: () => ({}) },
    storage: { local: { get: async () => ({}) } },
    tabs: { get: async () => SHOWN, sendMessage: () => answer },
  };
}

test('a page that loads on and on is reported with what has gone wrong in it so far, and one that hangs too', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  globalThis.chrome = answering(Promise.resolve({ result: { faults: { console_errors: 1, errors: ['thrown'] } } }));
  const { unfinishedLoad } = await import('../../extension/src/background/navigate/load_history.ts');
  const unfinished = { unavailable: 'the page is still loading', url: SHOWN.url };
  const failed = [{ url: FAILED.url, method: 'GET', status: 404 }];

  assert.deepEqual(await unfinishedLoad(SHOWN, { exchanges: [FAILED], complete() {} }, SOON), {
    ...unfinished,
    effects: { console_errors: 1, errors: ['thrown'], failed_requests: 1, failed },
  });

  globalThis.chrome = answering(new Promise(() => {}));
  assert.deepEqual(await unfinishedLoad(SHOWN, { exchanges: [FAILED], complete() {} }, SOON), {
    ...unfinished,
    effects: { failed_requests: 1, failed },
  });
});

test('a request that ends as a page is measured is counted once', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  const load = { url: SHOWN.url, timing: { lcp: 100 }, requestCount: 1 };
  const requests = { running: 1, exchanges: [], complete() {} };
  globalThis.chrome = {
    runtime: { getManifest: () => ({}) },
    storage: { local: { get: async () => ({}) }, session: { get: async () => ({}), set: async () => {} } },
    tabs: {
      get: async () => SHOWN,
      sendMessage: async (_, { arguments: { brief } }) => {
        const answer = { load: { ...load, requestCount: 2 - requests.running }, resources: [], hidden: true, born: 1 };
        if (!brief) requests.running = 0; // it ends right after the page has answered
        return { result: answer };
      },
    },
  };
  const { compareLoads } = await import('../../extension/src/background/navigate/load_history.ts');

  const compared = await compareLoads(SHOWN, undefined, Promise.resolve(false), requests, SOON);

  assert.equal(compared.load.requestCount, 2);
});
