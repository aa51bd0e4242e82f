// The human's settings, their names in chrome.storage.local and what they are at first; it must not read or write them.

import type { Capture } from './events.ts';
import { SITE_KEYS, type Sites, sitesFrom } from './sites.ts';

/**
 * What the human has set. `captureAllTabs`: every tab is captured while none is tracked; `hidePersonalData`: redaction
 * does, on the server; `trackedTabId`: null for none.
 */
export type Values = {
  captureWebSockets: boolean;
  captureNetworkBodies: boolean;
  captureAllTabs: boolean;
  hidePersonalData: boolean;
  trackedTabId: number | null;
  trackedTabUrl: string;
  sites: Sites;
};

export type Switch = 'captureWebSockets' | 'captureNetworkBodies' | 'captureAllTabs' | 'hidePersonalData';

/** What the switches are before the human has touched them (seed 002, Extension Settings). */
const SWITCHES: Record<Switch, boolean> = {
  captureWebSockets: true,
  captureNetworkBodies: false,
  captureAllTabs: true,
  hidePersonalData: false,
};

/** What is stored while a tab is tracked (seed 003, Track This Page). */
export const TRACKED = ['trackedTabId', 'trackedTabUrl'];

/** All that is stored. */
export const KEYS = [...Object.keys(SWITCHES), ...TRACKED, ...SITE_KEYS];

/** Read settings from what is stored; what is absent or damaged is as at first. */
export function valuesFrom(stored: Record<string, unknown>): Values {
  const { trackedTabId: id, trackedTabUrl: url } = stored;
  return {
    captureWebSockets: switchFrom(stored, 'captureWebSockets'),
    captureNetworkBodies: switchFrom(stored, 'captureNetworkBodies'),
    captureAllTabs: switchFrom(stored, 'captureAllTabs'),
    hidePersonalData: switchFrom(stored, 'hidePersonalData'),
    trackedTabId: typeof id === 'number' && Number.isInteger(id) && id > 0 ? id : null,
    trackedTabUrl: typeof url === 'string' ? url : '',
    sites: sitesFrom(stored),
  };
}

/**
 * Return what is to be captured in a tab: the tracked one alone, or every one while none is tracked and that is wanted.
 */
export function captureIn(
  { captureWebSockets, captureNetworkBodies, captureAllTabs, trackedTabId }: Values,
  tab: number,
): Capture {
  const on = trackedTabId === null ? captureAllTabs : trackedTabId === tab;
  return { on, websockets: captureWebSockets, bodies: captureNetworkBodies };
}

function switchFrom(stored: Record<string, unknown>, name: Switch): boolean {
  const value = stored[name];
  return typeof value === 'boolean' ? value : SWITCHES[name];
}
