import assert from 'node:assert/strict';
import { test } from 'node:test';

const area = () => {
  const kept = {};
  return { kept, get: async (key) => ({ [key]: kept[key] }), set: async (values) => Object.assign(kept, values) };
};
globalThis.chrome = { ...globalThis.chrome, storage: { session: area() } };
const { DocumentResponses } = await import('../../extension/src/background/analyze/document_responses.ts');

const AT = 1_700_000_000_000;

const received = (more = {}) => ({
  tabId: 1,
  requestId: '1',
  url: 'https://a.test/x',
  timeStamp: AT,
  statusCode: 200,
  responseHeaders: [
    { name: 'Content-Security-Policy', value: "script-src 'nonce-s3cr3t'" },
    { name: 'X-Other', value: 's3cr3t' },
    { name: 'Set-Cookie', value: 'sid=s3cr3t; Secure' },
  ],
  ...more,
});
const load = ({ answered = AT + 20, url = 'https://a.test/x#part' } = {}) => ({
  url,
  begun: answered - 100,
  answered,
  by_worker: false,
});

test('a document finds its own response, by address and time, and no other [findings-014]', async () => {
  const kept = area();
  const responses = new DocumentResponses(kept);
  responses.received(received());
  const found = await responses.find(1, load());
  const later = new DocumentResponses(kept);

  assert.deepEqual([{ called: 'content-security-policy', holds: "script-src 'nonce-'" }], found.headers);
  assert.deepEqual(['sid', true], [found.set[0].called, found.set[0].secure]);
  assert.doesNotMatch(JSON.stringify(kept.kept), /s3cr3t/);
  assert.deepEqual(found, await later.find(1, load()));
  assert.equal(undefined, await responses.find(2, load()));
  assert.equal(undefined, await responses.find(1, load({ answered: AT + 60_000 })));
  assert.equal(undefined, await responses.find(1, load({ answered: AT + 300 })), 'an earlier load of the address');
  assert.equal(undefined, await responses.find(1, load({ url: 'https://a.test/y' })));
});

test('the cookies of redirects belong to the document that they lead to, on the same host alone', async () => {
  const responses = new DocumentResponses(area());
  const moved = (host) =>
    received({
      url: `https://${host}/login`,
      statusCode: 302,
      responseHeaders: [
        { name: 'location', value: '/x' },
        { name: 'set-cookie', value: 'auth=1' },
      ],
    });
  responses.received(moved('other.test'));
  responses.received(received());
  const alone = await responses.find(1, load());
  responses.received(moved('a.test'));
  responses.received(received({ timeStamp: AT + 10_000 }));
  const together = await responses.find(1, load({ answered: AT + 10_000 }));

  assert.deepEqual(
    ['sid'],
    alone.set.map(({ called }) => called),
  );
  assert.deepEqual(
    ['auth', 'sid'],
    together.set.map(({ called }) => called),
  );
});

test('a tab keeps its last documents, and none when it is closed', async () => {
  const responses = new DocumentResponses(area());
  for (let n = 0; n < 7; n++) responses.received(received({ timeStamp: AT + n * 10_000 }));
  const ages = [0, 1, 2, 6].map((n) => responses.find(1, load({ answered: AT + n * 10_000 })));
  const there = (await Promise.all(ages)).map(Boolean);
  responses.forget(1);
  await new Promise((done) => setImmediate(done));

  assert.deepEqual([false, false, true, true], there);
  assert.equal(undefined, await responses.find(1, load({ answered: AT + 60_000 })));
});
