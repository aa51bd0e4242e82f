// Runs a script that only reads by `chrome.userScripts`, where the user allows it: without the debugger and Chrome's bar.

import type { Tab } from '../tabs/tabs.ts';
import { plainRead, wrappedRead } from './plain_reads.ts';
import { describePlain } from './values.ts';

/** A page that is not busy answers within this time; else the debugger is asked, which knows what the page does. */
const ANSWERS_MS = 200;

/** Whether the user allows user scripts (Chrome 135 and later); the name is there only as long as they do. */
export function mayUseUserScripts(): boolean {
  return typeof chrome.userScripts?.execute === 'function';
}

/** Give the reply to a script that only reads a primitive; undefined where the debugger has to run it. */
export async function readByUserScript(tab: Tab, script: string): Promise<object | undefined> {
  const source = mayUseUserScripts() ? plainRead(script) : undefined;
  if (source === undefined) return undefined;
  const found = (await inTime(executed(tab.id, wrappedRead(source)))) as { u?: true; v?: unknown } | null | undefined;
  if (found?.u) return { success: true, undefined: true };
  if (!found || !('v' in found)) return undefined;
  return { success: true, result: describePlain({ type: typeof found.v, value: found.v }).result };
}

async function executed(tabId: number, code: string): Promise<unknown> {
  const injection = {
    target: { tabId },
    world: 'MAIN' as const,
    injectImmediately: true,
    js: [{ code }] as [chrome.userScripts.ScriptSource],
  };
  const [done] = await chrome.userScripts.execute(injection);
  return done?.result;
}

/** Await an answer for ANSWERS_MS; a page that cannot be asked is explained by the debugger's way. */
function inTime(answer: Promise<unknown>): Promise<unknown> {
  const late = new Promise((done) => setTimeout(done, ANSWERS_MS));
  return Promise.race([answer.catch(() => undefined), late]);
}
