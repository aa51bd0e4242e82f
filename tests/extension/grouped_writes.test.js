import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupedWrites } from '../../extension/src/background/grouped_writes.ts';

/** An area that notes its writes, and refuses those with a key. */
function opened(refused = '') {
  const writes = [];
  const area = {
    get: async () => ({}),
    remove: async () => {},
    set: async (items) => {
      writes.push(items);
      if (refused in items) throw new Error('QUOTA_BYTES quota exceeded');
    },
  };
  return { writes, grouped: new GroupedWrites(area) };
}

test('what is set at one moment is one write, and what comes later another', async () => {
  const { writes, grouped } = opened();

  await Promise.all([grouped.set({ a: 1 }), grouped.set({ b: 2 })]);
  await grouped.set({ a: 3 });

  assert.deepEqual(writes, [{ a: 1, b: 2 }, { a: 3 }]);
});

test('an item that the area refuses is refused alone', async () => {
  const { grouped } = opened('large');

  const outcomes = await Promise.allSettled([grouped.set({ a: 1 }), grouped.set({ large: 2 }), grouped.set({ b: 3 })]);

  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});
