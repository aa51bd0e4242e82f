// What travels between the extension and the bridge, as JSON text; it must not know who sends or receives it.
// Samples of every message stand in tests/wire/link-*.json, and the bridge reads the same ones.

/** @typedef {import('./failure.js').Fault} Fault */
/** @typedef {{result: unknown} | {error: Fault}} Answer */

/** @typedef {{type: 'welcome', name: string, version: string}} Welcome */
/**
 * `client`: who asks for what acts.
 * @typedef {{type: 'command', id: string, name: string, arguments: Record<string, unknown>, timeout_ms: number,
 *   client?: import('./leases.js').Client}} Command
 */
/** @typedef {{type: 'acknowledge', id: string}} Acknowledge  down: the result arrived, or what was to be cleared is gone */
/** @typedef {{type: 'stored', ids: string[]}} Stored  these chunks are in the journal, and may be forgotten */
/** @typedef {{type: 'cancel', id: string}} Cancel */
/** @typedef {{type: 'alive'}} Alive  every 20 s: a worker that hears nothing for 30 s is stopped */
/** @typedef {Welcome | Command | Acknowledge | Stored | Cancel | Alive} Down */

/** @type {(value: unknown) => boolean} */
const isText = (value) => typeof value === 'string';
/** @type {(value: unknown) => boolean} */
const isId = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
/** @type {(value: unknown) => boolean} */
const isIds = (value) => Array.isArray(value) && value.every(isId);
/** @type {(value: unknown) => boolean} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {(value: any) => boolean} */
const isClient = (value) => isObject(value) && isText(value.id) && isText(value.name);
/** @type {(value: unknown) => boolean} */
const isSpan = (value) => typeof value === 'number' && Number.isInteger(value) && value > 0;

/**
 * The fields that each message must have, and how to tell; more fields are no error, so that a newer server may add some.
 * @type {Record<Down['type'], Record<string, (value: unknown) => boolean>>}
 */
const DOWN = {
  welcome: { name: isText, version: isText },
  command: { id: isId, name: isText, arguments: isObject, timeout_ms: isSpan },
  acknowledge: { id: isId },
  stored: { ids: isIds },
  cancel: { id: isId },
  alive: {},
};

/**
 * Read what came down.
 * @param {unknown} data  of a WebSocket message
 * @returns {Down | null}  null for what is no message that we know
 */
export function read(data) {
  const said = parsed(data);
  if (!isObject(said) || !isText(said.type) || !Object.hasOwn(DOWN, said.type)) return null;
  const fields = DOWN[/** @type {Down['type']} */ (said.type)];
  if (said.client !== undefined && !isClient(said.client)) return null;
  return Object.entries(fields).every(([name, holds]) => Object.hasOwn(said, name) && holds(said[name])) ? said : null;
}

/**
 * @param {unknown} data
 * @returns {any}
 */
function parsed(data) {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null;
  } catch {
    return null;
  }
}

/**
 * Introduce this life of the service worker; the first message of a connection.
 * @param {{version: string, browser: string, worker: string}} self
 */
export const hello = ({ version, browser, worker }) => ({ type: 'hello', version, browser, worker });

/**
 * Say that a command arrived.
 * @param {string} id
 */
export const acknowledge = (id) => ({ type: 'acknowledge', id });

/**
 * Answer a command.
 * @param {string} id
 * @param {Answer} answer
 */
export const result = (id, answer) => ({ type: 'result', id, ...answer });

/**
 * Hand on what was captured; answered by `stored`.
 * @param {import('../shared/events.js').PlacedChunk[]} chunks
 */
export const events = (chunks) => ({ type: 'events', chunks });

/**
 * Ask for all that was captured to be forgotten; answered by `acknowledge`.
 * @param {string} id
 */
export const clear = (id) => ({ type: 'clear', id });

/**
 * Tell whether the human lets an assistant act.
 * @param {boolean} enabled
 */
export const pilot = (enabled) => ({ type: 'pilot', enabled });

/** Answer an alive with one. */
export const alive = () => ({ type: 'alive' });
