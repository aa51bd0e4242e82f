import assert from 'node:assert/strict';
import { test } from 'node:test';

/** An event of chrome.webRequest that a test can fire. */
class Fired {
  #hearers = new Set();
  addListener = (hear) => this.#hearers.add(hear);
  removeListener = (hear) => this.#hearers.delete(hear);
  fire = (details) => this.#hearers.forEach((hear) => hear(details));
}
const webRequest = Object.fromEntries(
  ['onBeforeRequest', 'onHeadersReceived', 'onCompleted', 'onErrorOccurred'].map((name) => [name, new Fired()]),
);
globalThis.chrome = { ...globalThis.chrome, webRequest };
const { TabRequests } = await import('../../extension/src/background/navigate/requests.ts');
const { outcomeOf } = await import('../../extension/src/background/navigate/outcome.ts');

/** Begin a request, and give what is known of it. */
function begun(network, details) {
  webRequest.onBeforeRequest.fire({
    requestId: '1',
    url: 'http://a.test/',
    method: 'GET',
    type: 'image',
    timeStamp: Date.now(),
    ...details,
  });
  return network.exchanges.at(-1);
}

test('a request is as long as it was, however late its end is received', async () => {
  const network = new TabRequests(1);
  const at = Date.now();
  const exchange = begun(network, { timeStamp: at });
  await new Promise((done) => setTimeout(done, 80));
  webRequest.onCompleted.fire({ requestId: '1', statusCode: 200, timeStamp: at + 10 });
  network.end();

  assert.ok(exchange.end - exchange.start < 40);
});

test('an event from a time that the clock has left is taken as of now', () => {
  const network = new TabRequests(1);
  const exchange = begun(network, { timeStamp: Date.now() - 3_600_000 });
  webRequest.onCompleted.fire({ requestId: '1', statusCode: 200, timeStamp: Date.now() + 3_600_000 });
  network.end();

  assert.ok(exchange.start >= network.begun && exchange.end >= exchange.start);
  assert.ok(exchange.end - exchange.start < 1_000);
});

test('what a busy worker receives late of the time before an action is not of it [fast-042]', () => {
  const network = new TabRequests(1);
  begun(network, { requestId: '1', timeStamp: Date.now() - 200 });
  begun(network, { requestId: '2', timeStamp: Date.now() });
  network.end();

  assert.deepEqual(
    ['2'],
    network.exchanges.map(({ id }) => id),
  );
});

test('a document that a page asks for ahead leads nowhere', () => {
  const network = new TabRequests(1);
  begun(network, { type: 'main_frame', documentId: 'A', documentLifecycle: 'active' });
  const ahead = outcomeOf(network.exchanges, {}, false);
  begun(network, { requestId: '2', type: 'main_frame', documentLifecycle: 'active' });
  network.end();

  assert.deepEqual([{}, { navigating: true }], [ahead, outcomeOf(network.exchanges, {}, false)]);
});

/** A request as a page's scripts know it, that is over. */
const asked = (more) => ({
  url: 'http://a.test/api',
  method: 'POST',
  ts: Date.now(),
  duration: 5,
  status: 503,
  ...more,
});
const briefly = ({ exchanges }) => exchanges.map(({ url, status, error }) => [url, status, error]);

test('what a service worker of the page took is added, and what Chrome has reported is not added again', () => {
  const network = new TabRequests(1);
  begun(network, { url: 'https://a.test/api', method: 'POST', type: 'xmlhttprequest' });
  webRequest.onCompleted.fire({ requestId: '1', statusCode: 503, timeStamp: Date.now() });
  network.complete([
    asked({ url: 'http://a.test/api#part' }),
    asked({ url: 'http://a.test/other', ts: Date.now() + 5 }),
  ]);
  network.complete([asked({ url: 'http://a.test/other' })]);
  network.end();

  assert.deepEqual(
    [
      ['https://a.test/api', 503, ''],
      ['http://a.test/other', 503, ''],
    ],
    briefly(network),
  );
});

test('a request of which the page was quicker to report is one, with what Chrome knows of it', () => {
  const network = new TabRequests(1);
  network.complete([asked({ status: 0, error: 'TypeError: Failed to fetch' })]);
  begun(network, { url: 'http://a.test/api', method: 'POST', type: 'xmlhttprequest' });
  webRequest.onErrorOccurred.fire({ requestId: '1', error: 'net::ERR_CONNECTION_REFUSED', timeStamp: Date.now() });
  network.end();

  assert.deepEqual([['http://a.test/api', 0, 'net::ERR_CONNECTION_REFUSED']], briefly(network));
});

test('of a page that comes back only its new requests are added, and what it aborted has not failed', () => {
  const network = new TabRequests(1);
  network.complete([
    asked({ url: 'http://a.test/old', ts: Date.now() - 60_000 }),
    asked({ status: 0, error: 'AbortError: signal is aborted without reason' }),
    asked({ url: 'http://a.test/left', status: 0, error: 'Error: no longer wanted', ts: Date.now() + 5 }),
  ]);
  network.end();

  assert.deepEqual(
    [
      ['http://a.test/api', 0, 'net::ERR_ABORTED'],
      ['http://a.test/left', 0, 'net::ERR_ABORTED'],
    ],
    briefly(network),
  );
});
