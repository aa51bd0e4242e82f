import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Snapshots } from '../../extension/src/background/state/snapshots.ts';

/** An area of storage that takes its time, and holds no more than it is told. */
class SlowArea {
  /** @type {Record<string, any>} */
  items = {};
  room = Infinity;

  /** @param {string} key */
  async get(key) {
    const items = structuredClone(this.items);
    await new Promise((done) => setTimeout(done, 1));
    return key in items ? { [key]: items[key] } : {};
  }

  /** @param {Record<string, unknown>} items */
  async set(items) {
    await new Promise((done) => setTimeout(done, 1));
    if (JSON.stringify(items).length > this.room) throw new Error('Resource::kQuotaBytes quota exceeded');
    Object.assign(this.items, structuredClone(items));
  }
}

/** @param {number} second */
function snapshot(second, data = '{}') {
  const timestamp = new Date(second * 1000).toISOString();
  return { url: 'https://h.test/', origin: 'https://h.test', timestamp, size_bytes: data.length, data };
}

test('writes at the same time are all kept', async () => {
  const area = new SlowArea();
  const snapshots = new Snapshots(area);

  await Promise.all(['a', 'b', 'c'].map((name, at) => snapshots.put(name, snapshot(at))));

  assert.deepEqual(Object.keys(area.items['gasoline_snapshots']), ['a', 'b', 'c']);
  assert.deepEqual(
    (await snapshots.list()).map(([name]) => name),
    ['c', 'b', 'a'],
  );
});

test('the second of two with one name takes the place of the first and reports it', async () => {
  const snapshots = new Snapshots(new SlowArea());

  const replaced = await Promise.all([
    snapshots.put('constructor', snapshot(1)),
    snapshots.put('constructor', snapshot(2)),
  ]);

  assert.deepEqual(replaced, [false, true]);
  assert.deepEqual(await snapshots.get('constructor'), snapshot(2));
});

test('a name that there is not is answered with the ten newest that there are', async () => {
  const snapshots = new Snapshots(new SlowArea());
  for (let at = 0; at < 12; at++) await snapshots.put(`s${at}`, snapshot(at));

  for (const ask of [snapshots.get('toString'), snapshots.remove('constructor')]) {
    await assert.rejects(ask, (fault) => {
      const { code, message, details, recovery } = /** @type {Failure} */ (fault).fault;
      assert.deepEqual(
        [code, details?.['known_names'], details?.['count']],
        ['not_found', ['s11', 's10', 's9', 's8', 's7', 's6', 's5', 's4', 's3', 's2'], 12],
      );
      assert.match(message, /no snapshot "(toString|constructor)"/);
      assert.equal(recovery, 'Existing snapshots: s11, s10, s9, s8, s7, s6, s5, s4, s3, s2.');
      return true;
    });
  }
});

test('where there is none, a name leads to the way of saving one', async () => {
  await assert.rejects(new Snapshots(new SlowArea()).get('a'), (fault) => {
    assert.match(/** @type {Failure} */ (fault).fault.recovery ?? '', /action:"save_state"/);
    return true;
  });
});

test('a snapshot that is too large by itself is answered with what is stored, and who can help', async () => {
  const area = new SlowArea();
  area.room = 10;

  await assert.rejects(new Snapshots(area).put('a', snapshot(1)), (fault) => {
    const { message, details, recovery } = /** @type {Failure} */ (fault).fault;
    assert.deepEqual([details?.['limit_bytes'], details?.['largest']], [10_485_760, []]);
    assert.match(`${message} ${recovery}`, /Nothing was changed.*stores too much by itself/);
    return true;
  });
});

test('where there is no room the ten largest are named', async () => {
  const area = new SlowArea();
  const snapshots = new Snapshots(area);
  for (let at = 0; at < 11; at++) await snapshots.put(`s${at}`, snapshot(at, 'x'.repeat(20 + at)));
  area.room = 10;

  await assert.rejects(snapshots.put('more', snapshot(12)), (fault) => {
    const names = /** @type {any} */ (fault).fault.details.largest.map((/** @type {any} */ { name }) => name);
    assert.deepEqual(names, ['s10', 's9', 's8', 's7', 's6', 's5', 's4', 's3', 's2', 's1']);
    return true;
  });
});

test('where there is no room nothing changes, the largest is named, and the next one may fit', async () => {
  const area = new SlowArea();
  const snapshots = new Snapshots(area);
  await snapshots.put('small', snapshot(1));
  await snapshots.put('large', snapshot(2, 'x'.repeat(500)));
  area.room = 1000;

  await assert.rejects(snapshots.put('more', snapshot(3, 'x'.repeat(600))), (fault) => {
    const { code, details, recovery } = /** @type {Failure} */ (fault).fault;
    assert.deepEqual([code, details?.['size_bytes'], details?.['used_bytes']], ['storage_quota_exceeded', 600, 502]);
    assert.match(recovery ?? '', /snapshot_name:"large"/);
    return true;
  });
  await snapshots.remove('large');
  await snapshots.put('more', snapshot(3, 'x'.repeat(600)));

  assert.deepEqual(
    (await snapshots.list()).map(([name]) => name),
    ['more', 'small'],
  );
});
