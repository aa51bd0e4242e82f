// Reads from Chrome's own log which preloads of a page nothing has used: no other place states it.

import { attach } from '../tabs/debugger.ts';
import type { Tab } from '../tabs/tabs.ts';

/** Chrome writes the line "a few seconds" after the load: 6.0 s, measured in Chromium 156. */
const LOGGED_MS = 7_500;

/** The entries that are there come when the log is enabled: at once, but on a busy machine. */
const REPLAY_MS = 500;

const UNUSED = /^The resource (?<url>\S+) was preloaded using link preload but not used/;

/** The addresses; undefined if the log cannot be read, or it is not written within the time that is left. */
export async function unusedPreloads(tab: Tab, loadedMs: number, leftMs: number): Promise<string[] | undefined> {
  const wait = Math.max(0, LOGGED_MS - loadedMs);
  if (wait + 2 * REPLAY_MS > leftMs) return undefined;
  await pause(wait);
  const lines: string[] = [];
  const onEvent = ({ tabId }: chrome.debugger.Debuggee, method: string, params?: any) => {
    if (tabId === tab.id && method === 'Log.entryAdded') lines.push(String(params?.entry?.text));
  };
  chrome.debugger.onEvent.addListener(onEvent);
  try {
    const attachment = await attach(tab);
    try {
      await attachment.ask('Log.enable');
      await pause(REPLAY_MS);
      await attachment.ask('Log.disable');
    } finally {
      await attachment.release();
    }
  } catch {
    return undefined;
  } finally {
    chrome.debugger.onEvent.removeListener(onEvent);
  }
  return [...new Set(lines.flatMap((line) => UNUSED.exec(line)?.groups?.['url'] ?? []))];
}

function pause(ms: number) {
  return new Promise((done) => setTimeout(done, ms));
}
