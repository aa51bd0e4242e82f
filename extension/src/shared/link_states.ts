// The states of the link, as the service worker sends them to the popup; it must hold no words for people.

/**
 * Connecting: the first attempt is under way. not_installed: this folder has no install.json. not_paired: this packed copy, with that id,
 * has no code. away: nothing listens on
 * the port. refused: what answers there does not prove that it has our token, which `id`, a packed copy, has
 * from its code. stranger: what answers there is not
 * Gasoline. taken: the server has another browser.
 */
export type LinkState =
  | { state: 'connecting' }
  | { state: 'not_installed' }
  | { state: 'not_paired'; id: string }
  | { state: 'away'; port: number }
  | { state: 'refused'; port: number; id?: string }
  | { state: 'stranger'; port: number }
  | { state: 'taken'; port: number }
  | { state: 'connected'; port: number; name: string; version: string };

/** The name of the port over which the popup follows the state. */
export const STATE_PORT = 'state';
