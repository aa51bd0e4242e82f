import assert from 'node:assert/strict';
import { test } from 'node:test';

const SMALL = { id: 2, url: 'http://shop.test/', title: 'Shop', status: 'complete' };
const GONE = { id: 2, url: 'http://gone.test/', title: 'gone.test', status: 'complete' };
const REPLACED = new Error('Frame with ID 0 was removed.');
const AT_ERROR_PAGE = new Error('Frame with ID 0 is showing error page');

// Node.js has it from version 22 on, Chrome from 119
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

const never = () => new Promise(() => {});
const after = (ms, work) => setTimeout(work, ms);

/** A browser of one tab; each time that its page is asked whether it is there it gives the next of `answers`. */
function browser(answers) {
  const listeners = {};
  const event = (name) => ({ addListener: (listener) => (listeners[name] = listener), removeListener: () => {} });
  let shown = SMALL;
  const chrome = {
    runtime: { getManifest: () => ({}) },
    storage: { local: { get: async () => ({}) }, session: { get: async () => ({}) } },
    tabs: { get: async () => ({ ...shown }), onUpdated: event('updated'), onRemoved: event('removed') },
    webRequest: Object.fromEntries(
      [
        ['onBeforeRequest', 'requested'],
        ['onHeadersReceived', 'responded'],
        ['onBeforeRedirect', 'redirected'],
        ['onCompleted', 'loaded'],
        ['onAuthRequired', 'login'],
        ['onErrorOccurred', 'failed'],
      ].map(([name, key]) => [name, event(key)]),
    ),
    scripting: {
      executeScript: ({ files, args }) => {
        if (files) return Promise.reject(new Error('The page takes no files'));
        return args ? Promise.resolve([{}]) : (answers.shift() ?? (() => Promise.reject(AT_ERROR_PAGE)))();
      },
    },
    debugger: { getTargets: async () => [], onEvent: event('debugged'), onDetach: event('detached') },
  };
  const request = { requestId: '1', url: GONE.url };
  return {
    chrome,
    ask: () => listeners.requested(request),
    fail: () => listeners.failed({ ...request, error: 'net::ERR_CONNECTION_REFUSED' }),
    respond: () => listeners.responded({ ...request, statusCode: 200 }),
    showError: () => {
      shown = GONE;
      for (const status of ['loading', 'complete']) listeners.updated(GONE.id, { status }, { ...GONE, status });
    },
  };
}

/** Go forward to a page that cannot be loaded, and give the failure. */
async function goneForward(of, answers, shownMs) {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  const tab = browser(answers);
  globalThis.chrome = tab.chrome;
  const { performNavigation } = await import('../../extension/src/background/navigate/navigation_actions.ts');
  const going = performNavigation({ ...SMALL }, { action: 'forward' }, new AbortController().signal);
  after(shownMs - 10, tab.ask);
  after(shownMs - 5, tab.fail);
  after(shownMs, tab.showError);
  return going.then(assert.fail, (fault) => fault.fault ?? assert.fail(fault.stack));
}

test('a page that is replaced by an error page as it is asked whether it is there has failed with its error', async (of) => {
  const { code, details } = await goneForward(of, [() => Promise.reject(REPLACED)], 50);

  assert.equal(code, 'navigation_failed');
  assert.equal(details.error, 'net::ERR_CONNECTION_REFUSED');
});

test('there is a page to go forward to where its failure takes longer than a step to begin', async (of) => {
  const { code, details } = await goneForward(of, [never], 800);

  assert.equal(code, 'navigation_failed');
  assert.equal(details.error, 'net::ERR_CONNECTION_REFUSED');
});

test('a page that begins to hang after it was looked at is named, not waited for until the navigation is late', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  const tab = browser([() => Promise.reject(REPLACED), never]);
  globalThis.chrome = tab.chrome;
  const { navigateAndWait } = await import('../../extension/src/background/navigate/navigation.ts');
  of.mock.timers.enable({ apis: ['setTimeout'] });
  const navigating = navigateAndWait({ ...SMALL }, async () => {}, new AbortController().signal, true);
  const ended = navigating.then(assert.fail, ({ fault }) => fault);
  let isOver = false;
  ended.finally(() => {
    isOver = true;
  });
  tab.ask();
  tab.respond();
  let waitedMs = 0;
  for (; !isOver && waitedMs < 19_000; waitedMs += 50) {
    of.mock.timers.tick(50);
    await new Promise((done) => setImmediate(done));
  }

  assert.ok(waitedMs < 5_000, `${waitedMs} ms`);
  assert.equal((await ended).code, 'page_hung');
});
