// Compares the names that a page stores between two looks: set, changed or removed; no value may leave this world.
//
// A look costs 1 ms for a thousand names. Of a long value the length and both ends are compared: 5 MB cost 0.1 ms.

import { getterOf } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';

type StoredArea = 'localStorage' | 'sessionStorage' | 'cookie';

/** A digest of each value, by name. */
export type StoredLook = Record<StoredArea, Map<string, string>>;

export type StoredChange = {
  area: StoredArea;
  change: 'set' | 'changed' | 'removed';
  names: string[];
  omitted?: number;
};

/** The most names that are read in one area, and reported of one change. */
const STORED_READ = 1_000;
const STORED_REPORTED = 30;

/** Characters: of a name that is reported; of a value that is compared whole; of each end of a longer one. */
const STORED_NAME = 100;
const STORED_WHOLE = 1_000;
const STORED_END = 100;

const cookieOf: (document: Document) => string = getterOf(() => Document, 'cookie');

/** Read what this page may see; an area that is closed to it (a sandbox) is empty. */
export function lookAtStored(): StoredLook {
  return {
    localStorage: storedIn(() => namesIn(window.localStorage)),
    sessionStorage: storedIn(() => namesIn(window.sessionStorage)),
    cookie: storedIn(cookieNames),
  };
}

function storedIn(look: () => Map<string, string>): Map<string, string> {
  try {
    return look();
  } catch {
    return new Map();
  }
}

function namesIn(storage: Storage) {
  const count = Math.min(storage.length, STORED_READ);
  const found: Map<string, string> = new Map();
  for (let at = 0; at < count; at++) {
    const name = storage.key(at) ?? '';
    found.set(name, markOf(storage.getItem(name) ?? ''));
  }
  return found;
}

/** Return those that a script may read. */
function cookieNames(): Map<string, string> {
  const pairs = cookieOf(document).split('; ').filter(Boolean).slice(0, STORED_READ);
  return new Map(pairs.map((pair) => [pair.split('=', 1)[0] ?? '', markOf(pair)]));
}

/** Return what differs where values differ, but for the middle of long ones of one length. */
function markOf(value: string): string {
  if (value.length <= STORED_WHOLE) return value;
  return `${value.length} ${value.slice(0, STORED_END)} ${value.slice(-STORED_END)}`;
}

export function storedChanges(before: StoredLook, after: StoredLook): StoredChange[] {
  return (Object.keys(after) as StoredArea[]).flatMap((area) => {
    const [old, now] = [before[area], after[area]];
    const [wasAll, isAll] = [old, now].map(({ size }) => size < STORED_READ); // else a name may only have changed its place
    return [
      ...changeOf(
        area,
        'set',
        [...now.keys()].filter((name) => wasAll && !old.has(name)),
      ),
      ...changeOf(
        area,
        'changed',
        [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)),
      ),
      ...changeOf(
        area,
        'removed',
        [...old.keys()].filter((name) => isAll && !now.has(name)),
      ),
    ];
  });
}

/** Return no change, or one. */
function changeOf(area: StoredArea, change: StoredChange['change'], names: string[]): StoredChange[] {
  if (!names.length) return [];
  const shown = names.slice(0, STORED_REPORTED).map((name) => clip(name, STORED_NAME));
  return [{ area, change, names: shown, ...(names.length > shown.length && { omitted: names.length - shown.length }) }];
}
