// Tells which names a page stores were set, changed or removed between two looks; no value may leave this world.
//
// A look costs 1 ms for a thousand names. Of a long value the length and both ends are compared: 5 MB cost 0.1 ms.

'use strict';

/** @typedef {'localStorage' | 'sessionStorage' | 'cookie'} StoredArea */
/** @typedef {Record<StoredArea, Map<string, string>>} StoredLook  what stands for each value, by name */
/** @typedef {{area: StoredArea, change: 'set' | 'changed' | 'removed', names: string[], omitted?: number}} StoredChange */

/** The most names that are looked at in one area, and told of one change. */
var STORED_LOOKED = 1_000;
var STORED_TOLD = 30;

/** Characters: of a name that is told; of a value that is compared whole; of each end of a longer one. */
var STORED_NAME = 100;
var STORED_WHOLE = 1_000;
var STORED_END = 100;

/** @type {(document: Document) => string} */
var cookieOf = getterOf(Document, 'cookie');

/** @returns {StoredLook}  of what this page may see; an area that is closed to it (a sandbox) is empty */
function lookAtStored() {
  return {
    localStorage: storedIn(() => namesIn(window.localStorage)),
    sessionStorage: storedIn(() => namesIn(window.sessionStorage)),
    cookie: storedIn(cookieNames),
  };
}

/**
 * @param {() => Map<string, string>} look
 * @returns {Map<string, string>}
 */
function storedIn(look) {
  try {
    return look();
  } catch {
    return new Map();
  }
}

/** @param {Storage} storage */
function namesIn(storage) {
  const count = Math.min(storage.length, STORED_LOOKED);
  /** @type {Map<string, string>} */
  const found = new Map();
  for (let at = 0; at < count; at++) {
    const name = storage.key(at) ?? '';
    found.set(name, markOf(storage.getItem(name) ?? ''));
  }
  return found;
}

/** @returns {Map<string, string>}  those that a script may see */
function cookieNames() {
  const pairs = cookieOf(document).split('; ').filter(Boolean).slice(0, STORED_LOOKED);
  return new Map(pairs.map((pair) => [pair.split('=', 1)[0] ?? '', markOf(pair)]));
}

/**
 * @param {string} value
 * @returns {string}  differs where values differ, but for the middle of long ones of one length
 */
function markOf(value) {
  if (value.length <= STORED_WHOLE) return value;
  return `${value.length} ${value.slice(0, STORED_END)} ${value.slice(-STORED_END)}`;
}

/**
 * @param {StoredLook} before
 * @param {StoredLook} after
 * @returns {StoredChange[]}
 */
function storedChanges(before, after) {
  return /** @type {StoredArea[]} */ (Object.keys(after)).flatMap((area) => {
    const [old, now] = [before[area], after[area]];
    const [wasAll, isAll] = [old, now].map(({ size }) => size < STORED_LOOKED); // else a name may only have changed its place
    return [
      ...changeOf(area, 'set', [...now.keys()].filter((name) => wasAll && !old.has(name))),
      ...changeOf(area, 'changed', [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name))),
      ...changeOf(area, 'removed', [...old.keys()].filter((name) => isAll && !now.has(name))),
    ];
  });
}

/**
 * @param {StoredArea} area
 * @param {StoredChange['change']} change
 * @param {string[]} names
 * @returns {StoredChange[]}  none, or one
 */
function changeOf(area, change, names) {
  if (!names.length) return [];
  const told = names.slice(0, STORED_TOLD).map((name) => clip(name, STORED_NAME));
  return [{ area, change, names: told, ...(names.length > told.length && { omitted: names.length - told.length }) }];
}
