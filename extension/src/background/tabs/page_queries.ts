// Puts questions to the content script of a tab and sees that there is one; it must not know what is asked.

import { obstacleFrom, obstacleOf } from '../../shared/obstacles.ts';
import { Failure, type Fault } from '../failure.ts';
import { closedTo, frameClosed } from './access.ts';
import { openTab, type Tab } from './tabs.ts';

/** `missing`: the frame captures, and has no commands yet. */
export type PageAnswer = { result: unknown } | { error: Fault } | { missing: true };

export type Script = { world?: 'ISOLATED' | 'MAIN'; all_frames?: boolean; js?: string[] };

/** First, after the files were injected, and after two navigations came between: each page gets the commands anew. */
const ATTEMPTS = 4;

/**
 * The content scripts' files, from where Chrome itself reads them. Those of the page's own world are left out: there the
 * page's scripts ran first, so what those would send could be read and forged.
 */
const SCRIPTS = ((chrome.runtime.getManifest().content_scripts ?? []) as Script[]).filter(isOurs);
const LATE = 'content/injected_late.js'; // first of all: what speaks from the page's world may not be ours
const EVERYWHERE = [LATE, ...SCRIPTS.filter((script) => script.all_frames).flatMap(({ js = [] }) => js)];
const TOP = SCRIPTS.filter((script) => !script.all_frames).flatMap(({ js = [] }) => js); // of the page's load, which a frame's is not
const COMMANDS = 'content/commands.js';

/**
 * Ask the page in a tab, and ask again if it was replaced meanwhile: a question changes nothing.
 * @throws `tab_not_scriptable`, `tab_not_found`, `page_navigated`, or what the page answers
 */
export async function askPage(
  tab: Tab,
  name: string,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  let now = tab;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const obstacle = obstacleOf(now);
    if (obstacle) throw closedTo(now, obstacle);
    const answer = await sent(now, { name, arguments: query });
    signal.throwIfAborted();
    if (answer && !('missing' in answer)) return contentOf(answer);
    now = {
      ...(await openTab(tab.id, `The tab ${tab.id} was closed before its page answered.`)),
      ...(tab.frame && { frame: tab.frame }),
    };
    await (now.frame ? injectFrame(now) : inject(now, [COMMANDS]));
  }
  throw new Failure('page_navigated', 'The page was replaced by another, again and again, before it answered.', {
    details: { tab_id: tab.id, url: now.url },
    recovery: 'Wait until the page has settled, then ask again.',
  });
}

/** Bring the content script into pages that were open before the extension was installed or updated. */
export async function injectEverywhere(): Promise<void> {
  const tabs = await chrome.tabs.query({ url: ['http://*/*', 'https://*/*', 'file:///*'], discarded: false });
  const reachable = tabs.filter((tab) => tab.id !== undefined && !obstacleOf(tab)) as Tab[];
  await Promise.allSettled(reachable.map((tab) => inject(tab, [])));
}

function isOurs({ world }: Script) {
  return world !== 'MAIN';
}

/** Returns undefined if no one listens there, or the page went away */
async function sent(
  { id, frame = 0 }: Tab,
  question: { name: string; arguments: Record<string, unknown> },
): Promise<PageAnswer | undefined> {
  try {
    return await chrome.tabs.sendMessage(id, question, { frameId: frame });
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if there is none: the page went away
 * @throws what the page answers
 */
export function contentOf(answer: PageAnswer | undefined): any {
  if (!answer || 'missing' in answer) return undefined;
  if ('result' in answer) return answer.result;
  const { code, message, details, recovery } = answer.error;
  throw new Failure(code, message, { ...(details && { details }), ...(recovery && { recovery }) });
}

/**
 * Inject the content scripts' files, and more; where they are already, that changes nothing. The page's own frame is not kept
 * waiting for the others, one of which may hang.
 * @throws `tab_not_scriptable`, `tab_not_found`
 */
async function inject(tab: Tab, more: string[]): Promise<void> {
  const tabId = tab.id;
  try {
    await chrome.scripting.executeScript({
      target: { tabId },
      files: [...EVERYWHERE, ...TOP, ...more],
      injectImmediately: true,
    });
    const all = { target: { tabId, allFrames: true }, files: EVERYWHERE, injectImmediately: true };
    chrome.scripting.executeScript(all).catch(() => {}); // the tab is closed, or shows another page by now
  } catch (fault) {
    const now = await openTab(tab.id, `The tab ${tab.id} was closed before its page answered.`);
    throw closedTo(now, obstacleOf(now) ?? obstacleFrom(String((fault as Error).message), now.url ?? ''));
  }
}

/**
 * Inject what a command needs into one frame.
 * @throws `frame_not_scriptable`
 */
async function injectFrame({ id: tabId, frame = 0 }: Tab): Promise<void> {
  try {
    const target = { tabId, frameIds: [frame] };
    await chrome.scripting.executeScript({ target, files: [...EVERYWHERE, COMMANDS], injectImmediately: true });
  } catch (fault) {
    throw frameClosed(`Chrome refuses (${(fault as Error).message})`);
  }
}
