import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scriptOf } from '../../extension/src/content/act/long_tasks.ts';

const URL = 'http://shop.test/static/cart.js?v=2';
const script = (startTime, duration, more = {}) => ({
  startTime,
  duration,
  sourceURL: URL,
  sourceFunctionName: 'total',
  invoker: 'BUTTON#pay.onclick',
  ...more,
});
const TASK = { start: 100, duration: 100 };

test('a long task is named by the script that took most of it [faults-026]', () => {
  const scripts = [script(90, 50), script(140, 60, { sourceFunctionName: 'draw' }), script(300, 500)];

  assert.deepEqual(scriptOf(TASK, scripts), { attribution: 'script cart.js draw' });
});

test('a script without a function is named by what called it, a whole script by its file', () => {
  const called = script(100, 90, { sourceFunctionName: '' });
  const whole = script(100, 90, { sourceFunctionName: '', invoker: URL });
  const unknown = script(100, 90, { sourceFunctionName: '', sourceURL: '' });

  assert.deepEqual(scriptOf(TASK, [called]), { attribution: 'script cart.js BUTTON#pay.onclick' });
  assert.deepEqual(scriptOf(TASK, [whole]), { attribution: 'script cart.js' });
  assert.deepEqual(scriptOf(TASK, [unknown]), { attribution: 'script BUTTON#pay.onclick' });
});

test('a task in which no script is known has no attribution', () => {
  assert.deepEqual(scriptOf(TASK, [script(0, 100), script(200, 10)]), {});
});
