// The messages between the extension and the bridge, as JSON text.
// tests/wire/link-*.json has a sample of each, which the bridge's tests read too.

import type { PlacedChunk } from '../../shared/events.ts';
import type { Values } from '../../shared/settings.ts';
import type { Fault } from '../failure.ts';

/** An assistant, as the bridge names it. */
export type Client = { id: string; name: string };

export type Answer = { result: unknown } | { error: Fault };

/** First of all; `proof`: that the server has the token. */
export type Welcome = { type: 'welcome'; name: string; version: string; proof: string };

/** `client`: the assistant that asks; absent for commands that only read. */
export type Command = {
  type: 'command';
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  timeout_ms: number;
  client?: Client;
};

/** Down: the result arrived, or the captured events are cleared. */
type Acknowledge = { type: 'acknowledge'; id: string };

/** These chunks are in the journal; the extension may drop them. */
type Stored = { type: 'stored'; ids: string[] };

type Cancel = { type: 'cancel'; id: string };

/** Every 20 s: Chrome stops a worker that receives nothing for 30 s. */
type Alive = { type: 'alive' };

export type Down = Welcome | Command | Acknowledge | Stored | Cancel | Alive;

const isText: (value: unknown) => boolean = (value) => typeof value === 'string';
const isId: (value: unknown) => boolean = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
const isIds: (value: unknown) => boolean = (value) => Array.isArray(value) && value.every(isId);
const isObject: (value: unknown) => boolean = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isClient: (value: any) => boolean = (value) => isObject(value) && isText(value.id) && isText(value.name);
const isSpan: (value: unknown) => boolean = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;

/** The fields that each message must have. More fields are no error: a newer server may add some. */
const DOWN: Record<Down['type'], Record<string, (value: unknown) => boolean>> = {
  welcome: { name: isText, version: isText, proof: isText },
  command: { id: isId, name: isText, arguments: isObject, timeout_ms: isSpan },
  acknowledge: { id: isId },
  stored: { ids: isIds },
  cancel: { id: isId },
  alive: {},
};

/** Read a message from the bridge; null for one that is not known. */
export function read(data: unknown): Down | null {
  const message = parsed(data);
  if (!isObject(message) || !isText(message.type) || !Object.hasOwn(DOWN, message.type)) return null;
  const fields = DOWN[message.type as Down['type']];
  if (message.client !== undefined && !isClient(message.client)) return null;
  const isWhole = Object.entries(fields).every(([name, fits]) => Object.hasOwn(message, name) && fits(message[name]));
  return isWhole ? message : null;
}

function parsed(data: unknown): any {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null;
  } catch {
    return null;
  }
}

/** Introduce this service worker; the answer to the welcome. */
export const hello = ({ version, browser, worker }: { version: string; browser: string; worker: string }) => ({
  type: 'hello',
  version,
  browser,
  worker,
});

export const acknowledge = (id: string) => ({ type: 'acknowledge', id });

export const result = (id: string, answer: Answer) => ({ type: 'result', id, ...answer });

/** Send captured events; answered by `stored`. */
export const events = (chunks: PlacedChunk[]) => ({ type: 'events', chunks });

/** Ask the server to delete all captured events; answered by `acknowledge`. */
export const clear = (id: string) => ({ type: 'clear', id });

/**
 * Report whether the user lets assistants act; `user_scripts`: and allows user scripts; how many sites are denied, and how
 * many alone are allowed: not which; `hide_personal`: personal data are to be hidden too.
 */
export const pilot = (enabled: boolean, user_scripts: boolean, { sites, hidePersonalData }: Values) => ({
  type: 'pilot',
  enabled,
  user_scripts,
  denied_sites: sites.denied.length,
  allowed_sites: sites.allowed.length,
  hide_personal: hidePersonalData,
});

/** Chrome has no event for a change of `user_scripts`. */
export const alive = (user_scripts: boolean) => ({ type: 'alive', user_scripts });
