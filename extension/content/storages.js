// Reads and replaces what the page's origin has stored (seed 003, feature 2); it must tell no one but the service worker.
//
// This world has a `Storage` of its own: what the page has made of its methods does not matter here. Entries are pairs:
// a key may be `__proto__`, or named like a method.

'use strict';

/** @typedef {'localStorage' | 'sessionStorage'} StorageKind */
/** @typedef {[key: string, value: string][]} Entries */
/** @typedef {{kind: StorageKind, name: string, reason: string}} RefusedEntry */
/** @typedef {{url: string, origin: string, born: number}} PagePlace  `born` is another in every document */

/** @type {StorageKind[]} */
var STORAGE_KINDS = ['localStorage', 'sessionStorage'];

/** Milliseconds in which the page has to be left, if entries are held until then. */
var HOLD_MS = 60_000;

/** All that happens while a page is left, in order (HTML, 7.4.2.4). */
var LEAVING = ['beforeunload', 'pagehide', 'visibilitychange', 'unload'];

/** @type {AbortController | undefined} */
var holding;

/** @returns {PagePlace} */
function pagePlace() {
  return { url: location.href, origin: location.origin, born: performance.timeOrigin };
}

/**
 * Change the page's address without a load, and without a word to the page.
 * @param {Record<string, unknown>} query  `url`: of the same origin
 */
function renamePage({ url }) {
  history.replaceState(history.state, '', String(url));
  return {};
}

/** @returns {PagePlace & Record<StorageKind, Entries>} */
function readStorages() {
  const [local, session] = STORAGE_KINDS.map((kind) => entriesOf(storageOf(kind)));
  return { ...pagePlace(), localStorage: local ?? [], sessionStorage: session ?? [] };
}

/**
 * Make both storages what they are to be.
 * @param {Record<string, unknown>} query  `origin`: whose they are; both entries; `hold`: see to it that they are the
 *   same when the page has been left, whatever it does until then
 * @returns {{restored: Record<StorageKind, number>, refused: RefusedEntry[]}}
 */
function replaceStorages(query) {
  const { origin, hold, ...rest } = query;
  const wanted = /** @type {Record<StorageKind, Entries>} */ (/** @type {unknown} */ (rest));
  releaseStorages();
  if (location.origin !== origin) {
    const details = { snapshot_origin: origin, page_origin: location.origin };
    fail('origin_mismatch', 'The page was replaced by one of another origin meanwhile.', { details, recovery: 'Load the state again.' });
  }
  const stores = STORAGE_KINDS.map((kind) => ({ kind, storage: storageOf(kind), entries: wanted[kind] }));
  const apply = () => stores.flatMap(({ kind, storage, entries }) => replaceEntries(kind, storage, entries));
  const refused = apply();
  if (hold) holdUntilLeft(apply);
  /** @type {(kind: StorageKind) => number} */
  const kept = (kind) => wanted[kind].length - refused.filter((one) => one.kind === kind).length;
  return { restored: { localStorage: kept('localStorage'), sessionStorage: kept('sessionStorage') }, refused };
}

/** Let the page store again what it likes. */
function releaseStorages() {
  holding?.abort();
  return {};
}

/**
 * Apply at every step of leaving, after the page: who listens last is called last, so this listens anew at each.
 * @param {() => void} apply
 */
function holdUntilLeft(apply) {
  holding = new AbortController();
  const signal = AbortSignal.any([holding.signal, AbortSignal.timeout(HOLD_MS)]);
  const windows = treesOf(document).flatMap(({ root }) => (isDocument(root) ? (root.defaultView ?? []) : []));
  const leave = () => {
    apply();
    listenLast();
  };
  const listenLast = () => {
    for (const window of windows) {
      for (const type of LEAVING) {
        window.removeEventListener(type, leave);
        window.addEventListener(type, leave, { signal });
      }
    }
  };
  listenLast();
}

/**
 * @param {StorageKind} kind
 * @returns {Storage}
 */
function storageOf(kind) {
  try {
    return window[kind];
  } catch {
    return fail('storage_unavailable', `The page has no ${kind}: it is sandboxed, or the user has blocked its data.`, {
      details: { url: clip(location.href, 500), storage: kind },
      recovery: 'Open the page itself, not sandboxed, or ask the user to allow it to store data.',
    });
  }
}

/**
 * @param {Storage} storage
 * @returns {Entries}
 */
function entriesOf(storage) {
  /** @type {Entries} */
  const entries = [];
  for (let at = 0; at < storage.length; at++) {
    const key = storage.key(at) ?? '';
    entries.push([key, storage.getItem(key) ?? '']);
  }
  return entries;
}

/**
 * Change only what differs: other tabs of the origin hear of every change. Remove first: there may be no room for both.
 * @param {StorageKind} kind
 * @param {Storage} storage
 * @param {Entries} entries
 * @returns {RefusedEntry[]}
 */
function replaceEntries(kind, storage, entries) {
  const wanted = new Map(entries);
  const now = new Map(entriesOf(storage));
  for (const [key, value] of now) if (wanted.get(key) !== value) storage.removeItem(key);
  const missing = entries.filter(([key, value]) => now.get(key) !== value);
  return missing.flatMap(([key, value]) => (isStored(storage, key, value) ? [] : { kind, name: clip(key, 200), reason: 'quota exceeded' }));
}

/**
 * @param {Storage} storage
 * @param {string} key
 * @param {string} value
 * @returns {boolean}  there was room for it
 */
function isStored(storage, key, value) {
  try {
    storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
