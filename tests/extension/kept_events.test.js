import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

const { KEPT_MS, takeEvents } = await import('../../extension/src/background/navigate/kept_events.ts');

/** An event of Chrome's that counts what is asked of it. */
function event() {
  const added = [];
  const calls = [];
  return {
    calls,
    addListener: (listener, ...filter) => (calls.push(['add', ...filter]), added.push(listener)),
    removeListener: (listener) => (calls.push(['remove']), added.splice(added.indexOf(listener), 1)),
    fire: (details) => [...added].forEach((listener) => listener(details)),
  };
}

const of = (tabId) => ({ urls: ['<all_urls>'], tabId });

test('a listener is added once for actions that follow each other, and removed a while after the last [fast-042]', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const requests = event();
  const heard = [];
  takeEvents(requests, (details) => heard.push(`first ${details}`), of(1), ['responseHeaders'])();
  mock.timers.tick(KEPT_MS - 1);
  const stop = takeEvents(requests, (details) => heard.push(`second ${details}`), of(1), ['responseHeaders']);
  mock.timers.tick(2 * KEPT_MS);
  requests.fire('a');
  stop();
  requests.fire('b');
  const before = requests.calls.length;
  mock.timers.tick(KEPT_MS);
  takeEvents(requests, () => {}, of(1))();
  mock.timers.reset();

  assert.deepEqual(heard, ['second a']);
  assert.deepEqual([before, requests.calls], [1, [['add', of(1), ['responseHeaders']], ['remove'], ['add', of(1)]]]);
});

test('each tab has a listener of its own, and two that take the same events get each [fast-042]', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const requests = event();
  const heard = [];
  const stops = [1, 1, 2].map((tab, nth) => takeEvents(requests, (details) => heard.push([nth, details]), of(tab)));
  requests.fire('a');
  stops[0]();
  requests.fire('b');
  stops.forEach((stop) => stop());
  mock.timers.tick(KEPT_MS);
  mock.timers.reset();

  assert.deepEqual(heard, [
    [0, 'a'],
    [1, 'a'],
    [2, 'a'],
    [1, 'b'],
    [2, 'b'],
  ]);
  assert.deepEqual(requests.calls, [['add', of(1)], ['add', of(2)], ['remove'], ['remove']]);
});
