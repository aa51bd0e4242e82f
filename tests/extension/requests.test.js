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

test('a document that a page asks for ahead leads nowhere', () => {
  const network = new TabRequests(1);
  begun(network, { type: 'main_frame', documentId: 'A', documentLifecycle: 'active' });
  const ahead = outcomeOf(network.exchanges, {}, false);
  begun(network, { requestId: '2', type: 'main_frame', documentLifecycle: 'active' });
  network.end();

  assert.deepEqual([{}, { navigating: true }], [ahead, outcomeOf(network.exchanges, {}, false)]);
});
