import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turn } from './fakes.js';

/** An event of Chrome that a test can fire. */
class FakeEvent {
  #listeners = new Set();
  addListener = (listener) => this.#listeners.add(listener);
  removeListener = (listener) => this.#listeners.delete(listener);
  fire = (details) => this.#listeners.forEach((listener) => listener(details));
}

const requestEvents = () =>
  Object.fromEntries(
    ['onBeforeRequest', 'onHeadersReceived', 'onCompleted', 'onErrorOccurred'].map((name) => [name, new FakeEvent()]),
  );

const TIMING = { start: 0, end: 1 };

/** A tab whose page makes a request at each message and injection, and has the commands or gets them. */
function openTab({ hasCommands, frame }) {
  const webRequest = requestEvents();
  const messages = [];
  let count = 0;
  const request = (cause) => {
    const requestId = String(++count);
    webRequest.onBeforeRequest.fire({ requestId, url: `http://page.test/${cause}`, method: 'GET', type: 'fetch' });
    webRequest.onCompleted.fire({ requestId, statusCode: 200 });
  };
  const answers = {
    page_place: {},
    perform: {},
    rest: { quietMs: 50, frames: 0, kept: {}, record: { timing: TIMING, resources: [] } },
    collect: { timing: TIMING, resources: [] },
    late_changes: {},
  };
  const tab = { id: 5, url: 'http://page.test/', ...(frame && { frame }) };
  const chrome = {
    runtime: { getManifest: () => ({}) },
    debugger: {
      getTargets: async () => [],
      onEvent: new FakeEvent(),
      onDetach: new FakeEvent(),
      attach: async () => {
        messages.push('attach');
        throw new Error('Another debugger is already attached to the tab');
      },
      detach: async () => {},
    },
    storage: { local: { get: async () => ({}) } },
    webRequest,
    downloads: { onCreated: new FakeEvent(), onChanged: new FakeEvent(), search: async () => [] },
    tabs: {
      get: async () => tab,
      onCreated: new FakeEvent(),
      sendMessage: async (_, { name }) => {
        messages.push(name);
        await turn();
        if (!hasCommands) return { missing: true };
        request(name);
        return { result: answers[name] };
      },
    },
    scripting: {
      executeScript: async () => {
        messages.push('injection');
        request('injection');
        await turn();
        hasCommands = true;
        return [];
      },
    },
  };
  return { tab, messages, chrome };
}

/** Click in a page, and return what it requested by the action's own record. */
async function clicked({ tab, chrome }, more = {}) {
  const shared = globalThis.chrome; // all tests run in one process
  globalThis.chrome = chrome;
  try {
    const { effects } = await import('../../extension/src/background/interact/effects.ts');
    const { mutating } = await import('../../extension/src/background/interact/mutation.ts');
    effects.use({ report: async () => {}, isCaptured: async () => true });
    const act = mutating({ input: async () => {} });
    const query = { action: 'click', selector: '#a', ...more };
    const { measured } = await act(tab, query, new AbortController().signal);
    await effects.close(tab.id);
    return measured.requests.map(({ url }) => url.split('/').at(-1));
  } finally {
    globalThis.chrome = shared;
  }
}

test("what a page requests while its commands are injected does not count as the action's", async () => {
  const page = openTab({ hasCommands: false });

  const requests = await clicked(page);

  assert.deepEqual(page.messages.slice(0, 4), ['perform', 'page_place', 'injection', 'page_place']);
  assert.deepEqual([requests[0], requests.includes('injection')], ['perform', false]);
});

test('the first action of a frame begins when its commands are there', async () => {
  const requests = await clicked(openTab({ hasCommands: false, frame: 3 }));

  assert.deepEqual([requests[0], requests.includes('injection')], ['perform', false]);
});

test('an action in a page that has the commands costs no further message', async () => {
  const page = openTab({ hasCommands: true });

  await clicked(page);

  assert.deepEqual(page.messages.slice(0, 2), ['perform', 'rest']);
});

test('a page has the commands before an action with real input begins', async () => {
  const page = openTab({ hasCommands: false });

  await assert.rejects(clicked(page, { trusted: true }));

  assert.deepEqual(page.messages, ['page_place', 'injection', 'page_place', 'attach']);
});
