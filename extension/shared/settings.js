// The human's settings, their names in chrome.storage.local and what they are at first; it must not read or write them.

/**
 * What the human has set. `captureAllTabs`: every tab is captured while none is tracked; `trackedTabId`: null for none.
 * @typedef {{captureWebSockets: boolean, captureNetworkBodies: boolean, captureAllTabs: boolean,
 *   trackedTabId: number | null, trackedTabUrl: string}} Values
 */

/** @typedef {'captureWebSockets' | 'captureNetworkBodies' | 'captureAllTabs'} Switch */

/**
 * What the switches are before the human has touched them (seed 002, Extension Settings).
 * @type {Record<Switch, boolean>}
 */
export const SWITCHES = { captureWebSockets: true, captureNetworkBodies: false, captureAllTabs: true };

/** What is stored while a tab is tracked (seed 003, Track This Page). */
export const TRACKED = ['trackedTabId', 'trackedTabUrl'];

/** All that is stored. */
export const KEYS = [...Object.keys(SWITCHES), ...TRACKED];

/**
 * Read settings from what is stored; what is absent or damaged is as at first.
 * @param {Record<string, unknown>} stored
 * @returns {Values}
 */
export function valuesFrom(stored) {
  const { trackedTabId: id, trackedTabUrl: url } = stored;
  return {
    captureWebSockets: switchFrom(stored, 'captureWebSockets'),
    captureNetworkBodies: switchFrom(stored, 'captureNetworkBodies'),
    captureAllTabs: switchFrom(stored, 'captureAllTabs'),
    trackedTabId: typeof id === 'number' && Number.isInteger(id) && id > 0 ? id : null,
    trackedTabUrl: typeof url === 'string' ? url : '',
  };
}

/**
 * Say what is to be captured in a tab: the tracked one alone, or every one while none is tracked and that is wanted.
 * @param {Values} values
 * @param {number} tab
 * @returns {import('./events.js').Capture}
 */
export function captureIn({ captureWebSockets, captureNetworkBodies, captureAllTabs, trackedTabId }, tab) {
  const on = trackedTabId === null ? captureAllTabs : trackedTabId === tab;
  return { on, websockets: captureWebSockets, bodies: captureNetworkBodies };
}

/**
 * @param {Record<string, unknown>} stored
 * @param {Switch} name
 * @returns {boolean}
 */
function switchFrom(stored, name) {
  const value = stored[name];
  return typeof value === 'boolean' ? value : SWITCHES[name];
}
