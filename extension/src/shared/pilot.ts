// The human's switch that lets an assistant act: where it is stored and how it is read; it must not be written here.

/** The name of the switch in chrome.storage.sync (seed 003, Popup UI Addition). */
export const PILOT = 'aiWebPilotEnabled';

/** The name in chrome.storage.session of the last calls that acted, newest first. */
export const AUDIT = 'audit';

/**
 * A call that acted, or was refused. `outcome`: `running`, `done`, `failed` (a script threw), or the code of an error;
 * `tab` 0: none was chosen.
 */
export type AuditEntry = {
  id: string;
  ts: number;
  client: string;
  client_id: string;
  action: string;
  tab: number;
  origin: string;
  outcome: string;
  took_ms: number;
};

/** Read the switch from what is stored: anything but a plain true is off. */
export const isPilotOn = (stored: Record<string, unknown>): boolean => stored[PILOT] === true;
