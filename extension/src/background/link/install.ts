// Reads the token and the port that `gasoline extension install` wrote beside the manifest, or that a packed copy was given.

import { packedId } from '../../shared/packed_copy.ts';
import { keptPairing } from '../../shared/pairing.ts';
import type { Install } from './link.ts';

/** Give null for a copy that was neither installed nor paired, or a damaged file. No copy is kept: it may be renewed. */
export async function readInstall(): Promise<Install | null> {
  try {
    const written = await (packedId() ? keptPairing() : fileContent());
    return isInstall(written) ? written : null;
  } catch {
    return null;
  }
}

async function fileContent(): Promise<unknown> {
  return (await fetch(chrome.runtime.getURL('install.json'), { cache: 'no-store' })).json();
}

/** The token must be valid in the name of a subprotocol. */
function isInstall(written: any): written is Install {
  const { token, port } = written ?? {};
  return /^[\w.~-]+$/.test(token ?? '') && Number.isInteger(port) && port > 0 && port < 65536;
}
