import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startEach } from '../../extension/src/content/frame.ts';

const read = (name) => readFileSync(new URL(`../../extension/dist/${name}`, import.meta.url), 'utf8');

test('a part of a bundle that fails at its start leaves the others, and its error is reported', (t) => {
  const [started, reported] = [[], []];
  globalThis.reportError = (fault) => reported.push(fault.message);
  t.after(() => delete globalThis.reportError);

  startEach(
    () => started.push('first'),
    () => {
      throw new Error('broken');
    },
    () => started.push('last'),
  );

  assert.deepEqual([started, reported], [['first', 'last'], ['broken']]);
});

test('a frame answers messages before it starts to capture', () => {
  const [, starts] = /startEach\(([^)]*)\)/.exec(read('content/capture.js').split('capture_entry.ts')[1]);

  assert.deepEqual(starts.match(/start\w+/g).slice(0, 4), [
    'startOwnTimers',
    'startPersistentListeners',
    'startRelay',
    'startMessageHandlers',
  ]);
});

test("the page's dialogs are watched before anything else of the page", () => {
  const modules = read('page/capture.js').match(/(?<=^ {2}\/\/ extension\/src\/page\/)\w+\.ts$/gm);
  const capturing = ['console.ts', 'errors.ts', 'websocket.ts', 'fetch.ts', 'xhr.ts', 'beacon.ts'];

  assert.equal(
    modules.find((name) => [...capturing, 'dialog_calls.ts'].includes(name)),
    'dialog_calls.ts',
  );
  assert.ok(capturing.every((name) => modules.includes(name)));
});
