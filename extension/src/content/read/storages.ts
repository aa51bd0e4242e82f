// Reads and replaces what the page's origin has stored (seed 003, feature 2); only the service worker may get it.
//
// This world has a `Storage` of its own: what the page has made of its methods does not matter here. Entries are pairs:
// a key may be `__proto__`, or named like a method.

import { fail } from '../dom/faults.ts';
import { isDocument } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';

type StorageKind = 'localStorage' | 'sessionStorage';

type Entries = [key: string, value: string][];

type RefusedEntry = { kind: StorageKind; name: string; reason: string };

/** `born` is another in every document. */
type PagePlace = { url: string; origin: string; born: number; state: DocumentReadyState };

const STORAGE_KINDS: StorageKind[] = ['localStorage', 'sessionStorage'];

/** Milliseconds in which the page has to be left, if entries are held until then. */
const HOLD_MS = 60_000;

/** All that happens while a page is left, in order (HTML, 7.4.2.4). */
const LEAVING = ['beforeunload', 'pagehide', 'visibilitychange', 'unload'];

let holding: AbortController | undefined;

export function pagePlace(): PagePlace {
  return { url: location.href, origin: location.origin, born: performance.timeOrigin, state: document.readyState };
}

/** Change the page's address without a load, and without an event in the page. The `url` is of the same origin. */
export function renamePage({ url }: Record<string, unknown>) {
  history.replaceState(history.state, '', String(url));
  return {};
}

export function readStorages(): PagePlace & Record<StorageKind, Entries> {
  const [local, session] = STORAGE_KINDS.map((kind) => entriesOf(storageOf(kind)));
  return { ...pagePlace(), localStorage: local ?? [], sessionStorage: session ?? [] };
}

/**
 * Make both storages what they are to be. `origin`: of the entries; `hold`: keep them the same until the page has been
 * left, even if it writes there.
 */
export function replaceStorages(query: Record<string, unknown>): {
  restored: Record<StorageKind, number>;
  refused: RefusedEntry[];
} {
  const { origin, hold, ...rest } = query;
  const wanted = rest as unknown as Record<StorageKind, Entries>;
  releaseStorages();
  if (location.origin !== origin) {
    const details = { snapshot_origin: origin, page_origin: location.origin };
    fail('origin_mismatch', 'The page was replaced by one of another origin meanwhile.', {
      details,
      recovery: 'Load the state again.',
    });
  }
  const stores = STORAGE_KINDS.map((kind) => ({ kind, storage: storageOf(kind), entries: wanted[kind] }));
  const apply = () => stores.flatMap(({ kind, storage, entries }) => replaceEntries(kind, storage, entries));
  const refused = apply();
  if (hold) holdUntilLeft(apply);
  const kept: (kind: StorageKind) => number = (kind) =>
    wanted[kind].length - refused.filter((one) => one.kind === kind).length;
  return { restored: { localStorage: kept('localStorage'), sessionStorage: kept('sessionStorage') }, refused };
}

/** Let the page store again what it likes. */
export function releaseStorages() {
  holding?.abort();
  return {};
}

/** Apply at every step of leaving, after the page: the last listener is called last, so this listens again at each. */
function holdUntilLeft(apply: () => void) {
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

function storageOf(kind: StorageKind): Storage {
  try {
    return window[kind];
  } catch {
    return fail('storage_unavailable', `The page has no ${kind}: it is sandboxed, or the user has blocked its data.`, {
      details: { url: clip(location.href, 500), storage: kind },
      recovery: 'Open the page itself, not sandboxed, or ask the user to allow it to store data.',
    });
  }
}

function entriesOf(storage: Storage): Entries {
  const entries: Entries = [];
  for (let at = 0; at < storage.length; at++) {
    const key = storage.key(at) ?? '';
    entries.push([key, storage.getItem(key) ?? '']);
  }
  return entries;
}

/**
 * Change only what differs: other tabs of the origin get an event of every change. Remove first: there may be no room
 * for both.
 */
function replaceEntries(kind: StorageKind, storage: Storage, entries: Entries): RefusedEntry[] {
  const wanted = new Map(entries);
  const now = new Map(entriesOf(storage));
  for (const [key, value] of now) if (wanted.get(key) !== value) storage.removeItem(key);
  const missing = entries.filter(([key, value]) => now.get(key) !== value);
  return missing.flatMap(([key, value]) =>
    isStored(storage, key, value) ? [] : { kind, name: clip(key, 200), reason: 'quota exceeded' },
  );
}

/** Whether there was room for the entry. */
function isStored(storage: Storage, key: string, value: string): boolean {
  try {
    storage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
