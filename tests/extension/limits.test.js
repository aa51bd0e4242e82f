import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimits, TAB_LIMITS } from '../../extension/src/background/capture/limits.ts';

const { burst, perSecond } = TAB_LIMITS;

test('a tab may send its burst at once, and no more', () => {
  const limits = new RateLimits();

  assert.deepEqual([limits.take(1, burst, 0), limits.take(1, 1, 0)], [burst, 0]);
});

test("a second later it may send a second's worth", () => {
  const limits = new RateLimits();
  limits.take(1, burst, 0);

  assert.equal(limits.take(1, burst, 1000), perSecond);
});

test('a tab that was silent for long has no more than its burst', () => {
  const limits = new RateLimits();
  limits.take(1, 1, 0);

  assert.equal(limits.take(1, 3 * burst, 3_600_000), burst);
});

test("one tab's flood takes nothing from another", () => {
  const limits = new RateLimits();
  limits.take(1, 10 * burst, 0);

  assert.equal(limits.take(2, 10, 0), 10);
});

test('in the long run a flood gets its thousand a second, however it is cut', () => {
  const limits = new RateLimits();
  let granted = 0;
  for (let now = 0; now < 10_000; now += 7) granted += limits.take(1, 100, now);

  assert.ok(Math.abs(granted - (burst + 10 * perSecond)) <= 10, `${granted}`);
});

test('a clock that is set back neither grants nor takes', () => {
  const limits = new RateLimits();
  limits.take(1, burst, 10_000);

  assert.equal(limits.take(1, 1, 0), 0);
});

test('a closed tab leaves nothing behind', () => {
  const limits = new RateLimits();
  limits.take(1, burst, 0);

  limits.forget(1);

  assert.equal(limits.take(1, 1, 0), 1);
});
