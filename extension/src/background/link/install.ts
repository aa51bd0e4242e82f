// Reads what `gasoline extension install` wrote beside the manifest; it must keep no copy, as the file may be renewed.

import type { Install } from './link.ts';

/**
 * Read the token and the port of this installation.
 * @returns null if the folder was loaded without being installed, or the file is damaged
 */
export async function readInstall(): Promise<Install | null> {
  try {
    const written = await (await fetch(chrome.runtime.getURL('install.json'), { cache: 'no-store' })).json();
    return isInstall(written) ? written : null;
  } catch {
    return null;
  }
}

/** Returns a token that may stand in the name of a subprotocol, and a port */
function isInstall(written: any): written is Install {
  const { token, port } = written ?? {};
  return /^[\w.~-]+$/.test(token ?? '') && Number.isInteger(port) && port > 0 && port < 65536;
}
