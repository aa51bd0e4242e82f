import assert from 'node:assert/strict';
import { test } from 'node:test';

const SOON = new AbortController().signal;

/** A browser whose frames answer what the test says; it notes how long drawn frames were waited for. */
function browser(secrets) {
  const waits = [];
  const kept = {};
  const answers = {
    secretsInFrame: () => ({ secrets, shown: false, closed: false }),
    hiddenAndDrawn: (_css, boundMs) => waits.push(boundMs),
    showInShadows: () => undefined,
  };
  globalThis.chrome = {
    storage: {
      session: { get: async () => kept, set: async (values) => Object.assign(kept, values), remove: async () => {} },
    },
    runtime: { getManifest: () => ({}) },
    scripting: {
      insertCSS: async () => {},
      removeCSS: async () => {},
      executeScript: async ({ func, args = [] }) => [
        { frameId: 0, documentId: 'd', result: func && answers[func.name](...args) },
      ],
    },
  };
  return waits;
}

const PLAIN = { frozen: false, hiding: Promise.resolve(false) };

test('frames are waited for only where something is masked, frozen or hidden [pictures-028]', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  browser([]);
  const { whileMasked } = await import('../../extension/src/background/pictures/masks.ts');
  const waits = async (secrets, looks) => {
    const waited = browser(secrets);
    const done = await whileMasked({ id: 1 }, looks, SOON, async () => 'taken');
    assert.deepEqual([done.result, done.masked], ['taken', secrets.length]);
    return waited;
  };

  assert.deepEqual(await waits([], PLAIN), [0]);
  assert.deepEqual(await waits(['#card'], PLAIN), [250]);
  assert.deepEqual(await waits([], { ...PLAIN, frozen: true }), [250]);
  assert.deepEqual(await waits([], { ...PLAIN, hiding: Promise.resolve(true) }), [250]);
});

test('a mask that is still being put on when a picture fails is taken away after it is on [pictures-028]', async (of) => {
  const before = globalThis.chrome;
  of.after(() => Object.assign(globalThis, { chrome: before }));
  browser([]);
  const { whileMasked } = await import('../../extension/src/background/pictures/masks.ts');
  const done = [];
  let putOn;
  const { scripting } = globalThis.chrome;
  const answered = scripting.executeScript;
  Object.assign(scripting, {
    insertCSS: () => new Promise((on) => (putOn = () => on(done.push('on')))),
    removeCSS: async () => done.push('off'),
    executeScript: async (asked) => {
      if (asked.func?.name === 'hiddenAndDrawn') throw new Error('The frame was removed.');
      return answered(asked);
    },
  });

  const taken = whileMasked({ id: 1 }, PLAIN, SOON, async () => 'taken').catch((fault) => fault.message);
  await new Promise((soon) => setTimeout(soon, 20));
  putOn();

  assert.equal(await taken, 'The frame was removed.');
  assert.deepEqual(done, ['on', 'off']);
});
