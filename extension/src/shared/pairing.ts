// Keeps the code that `gasoline extension pair` prints: the port of the server on this machine, and the token it shares.
//
// It is in IndexedDB of the extension's own origin: content scripts, which a page's process may command, read
// chrome.storage.local, and not this.

export type Pairing = { token: string; port: number };

const NAME = 'pairing';
const KEY = 'server';

/** Read a code as it is pasted; null if it is none. */
export function readCode(text: string): Pairing | null {
  const [, port, token] = /^\s*gasoline-(\d{1,5})-([\w.~-]{16,128})\s*$/.exec(text) ?? [];
  const number = Number(port);
  return token && number > 0 && number < 65536 ? { token, port: number } : null;
}

export async function keepPairing(pairing: Pairing): Promise<void> {
  await inStore('readwrite', (store) => store.put(pairing, KEY));
}

/** Give null before the copy was paired, and if Chrome cannot read what it kept. */
export async function keptPairing(): Promise<Pairing | null> {
  return (await inStore('readonly', (store) => store.get(KEY)).catch(() => null)) ?? null;
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(NAME);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  const database = await settled(opening);
  try {
    return await settled(use(database.transaction(NAME, mode).objectStore(NAME)));
  } finally {
    database.close();
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}
