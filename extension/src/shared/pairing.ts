// Keeps the code that `gasoline extension pair` prints: the port of the server on this machine, and the token it shares.

export type Pairing = { token: string; port: number };

/** Its key in chrome.storage.local, which content scripts cannot read. */
const KEY = 'pairing';

/** Read a code as it is pasted; null if it is none. */
export function readCode(text: string): Pairing | null {
  const [, port, token] = /^\s*gasoline-(\d{1,5})-([\w.~-]{16,128})\s*$/.exec(text) ?? [];
  const number = Number(port);
  return token && number > 0 && number < 65536 ? { token, port: number } : null;
}

export async function keepPairing(pairing: Pairing): Promise<void> {
  await chrome.storage.local.set({ [KEY]: pairing });
}

/** Give undefined before the copy was paired. */
export async function keptPairing(): Promise<unknown> {
  return (await chrome.storage.local.get(KEY))[KEY];
}
