import assert from 'node:assert/strict';
import { test } from 'node:test';

const { Downloads, isFrom } = await import('../../extension/src/background/interact/downloads.ts');

const PAGE = 'http://shop.test/cart';
const file = (url, referrer = '') => ({ url, finalUrl: url, referrer });
const asked = (url) => ({ url, type: 'other' });

/** Return the listeners of what Chrome announces, files first. */
function listenTo(items) {
  const heard = [];
  const event = () => ({ addListener: (listener) => heard.push(listener), removeListener: () => {} });
  const downloads = { onCreated: event(), onChanged: event(), search: async () => items };
  globalThis.chrome = { ...globalThis.chrome, downloads };
  return heard;
}

test('a file comes from a tab that requested it, or whose origin made it [applications-028]', () => {
  assert.ok(isFrom(file('https://cdn.test/a.zip'), PAGE, [asked('https://cdn.test/a.zip')]));
  assert.ok(isFrom(file('https://cdn.test/a.zip', 'http://shop.test/other'), PAGE, []));
  assert.ok(isFrom(file('blob:http://shop.test/1-2'), PAGE, []));
  assert.ok(isFrom(file('data:text/plain,x'), PAGE, []), 'nothing is known of it');
});

test('a file that another site made is of another tab [applications-028]', () => {
  assert.ok(!isFrom(file('https://cdn.test/a.zip', 'https://news.test/'), PAGE, []));
  assert.ok(!isFrom(file('blob:https://news.test/1-2'), PAGE, []));
  assert.ok(!isFrom(file('data:text/plain,x', 'https://news.test/'), PAGE, []));
});

test('a file that a tab was opened for is awaited after that tab has closed [applications-028]', async () => {
  const item = {
    ...file('http://shop.test/report', PAGE),
    id: 1,
    filename: '/tmp/report',
    state: 'complete',
    fileSize: 5,
  };
  const heard = listenTo([item]);
  const signal = new AbortController().signal;
  const downloads = new Downloads(
    PAGE,
    () => [],
    () => false,
  );

  assert.deepEqual(await downloads.settled(false, signal), {}, 'nothing hints at a file');
  setTimeout(() => heard[0]({ ...item, startTime: new Date().toISOString() }), 60);
  const saved = await downloads.settled(true, signal);

  assert.deepEqual(saved, { downloads: [{ name: 'report', bytes: 5, path: '/tmp/report' }] });
});

test('a file that a page of an excluded site saves is not named [sites-001]', async () => {
  const item = { ...file('http://bank.test/balance', 'http://bank.test/'), id: 1, state: 'complete' };
  const heard = listenTo([item]);
  const downloads = new Downloads(
    PAGE,
    () => [asked('http://bank.test/balance')],
    (address) => address.startsWith('http://bank.test/'),
  );

  heard[0]({ ...item, startTime: new Date().toISOString() });

  assert.deepEqual(await downloads.all(), {});
});

test('a file that is complete keeps no effect open', () => {
  const heard = listenTo([]);
  const downloads = new Downloads(
    PAGE,
    () => [],
    () => false,
  );
  const [created, changed] = heard;

  created({
    ...file('http://shop.test/report', PAGE),
    id: 1,
    state: 'in_progress',
    startTime: new Date().toISOString(),
  });
  assert.ok(downloads.busy);
  changed({ id: 1, filename: { current: '/tmp/report' } });
  assert.ok(downloads.busy);
  changed({ id: 1, state: { previous: 'in_progress', current: 'complete' } });

  assert.ok(!downloads.busy);
});
