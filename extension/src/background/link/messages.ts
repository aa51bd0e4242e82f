// What travels between the extension and the bridge, as JSON text; it must not know who sends or receives it.
// Samples of every message stand in tests/wire/link-*.json, and the bridge reads the same ones.

import type { PlacedChunk } from '../../shared/events.ts';
import type { Fault } from '../failure.ts';

/** An assistant, as the bridge names it. */
export type Client = { id: string; name: string };

export type Answer = { result: unknown } | { error: Fault };

export type Welcome = { type: 'welcome'; name: string; version: string };

/** `client`: who asks for what acts. */
export type Command = {
  type: 'command';
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  timeout_ms: number;
  client?: Client;
};

/** Down: the result arrived, or what was to be cleared is gone */
export type Acknowledge = { type: 'acknowledge'; id: string };

/** These chunks are in the journal, and may be forgotten */
export type Stored = { type: 'stored'; ids: string[] };

export type Cancel = { type: 'cancel'; id: string };

/** Every 20 s: a worker that hears nothing for 30 s is stopped */
export type Alive = { type: 'alive' };

export type Down = Welcome | Command | Acknowledge | Stored | Cancel | Alive;

const isText: (value: unknown) => boolean = (value) => typeof value === 'string';
const isId: (value: unknown) => boolean = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
const isIds: (value: unknown) => boolean = (value) => Array.isArray(value) && value.every(isId);
const isObject: (value: unknown) => boolean = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isClient: (value: any) => boolean = (value) => isObject(value) && isText(value.id) && isText(value.name);
const isSpan: (value: unknown) => boolean = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;

/**
 * The fields that each message must have, and how to tell; more fields are no error, so that a newer server may add some.
 */
const DOWN: Record<Down['type'], Record<string, (value: unknown) => boolean>> = {
  welcome: { name: isText, version: isText },
  command: { id: isId, name: isText, arguments: isObject, timeout_ms: isSpan },
  acknowledge: { id: isId },
  stored: { ids: isIds },
  cancel: { id: isId },
  alive: {},
};

/**
 * Read what came down.
 * @param data of a WebSocket message
 * @returns null for what is no message that we know
 */
export function read(data: unknown): Down | null {
  const said = parsed(data);
  if (!isObject(said) || !isText(said.type) || !Object.hasOwn(DOWN, said.type)) return null;
  const fields = DOWN[said.type as Down['type']];
  if (said.client !== undefined && !isClient(said.client)) return null;
  return Object.entries(fields).every(([name, holds]) => Object.hasOwn(said, name) && holds(said[name])) ? said : null;
}

function parsed(data: unknown): any {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null;
  } catch {
    return null;
  }
}

/** Introduce this life of the service worker; the first message of a connection. */
export const hello = ({ version, browser, worker }: { version: string; browser: string; worker: string }) => ({
  type: 'hello',
  version,
  browser,
  worker,
});

/** Say that a command arrived. */
export const acknowledge = (id: string) => ({ type: 'acknowledge', id });

/** Answer a command. */
export const result = (id: string, answer: Answer) => ({ type: 'result', id, ...answer });

/** Hand on what was captured; answered by `stored`. */
export const events = (chunks: PlacedChunk[]) => ({ type: 'events', chunks });

/** Ask for all that was captured to be forgotten; answered by `acknowledge`. */
export const clear = (id: string) => ({ type: 'clear', id });

/** Tell whether the human lets an assistant act. */
export const pilot = (enabled: boolean) => ({ type: 'pilot', enabled });

/** Answer an alive with one. */
export const alive = () => ({ type: 'alive' });
