// Sends queries to the content scripts of a tab, and injects them where they are missing.

import { obstacleFrom, obstacleOf } from '../../shared/obstacles.ts';
import { Failure, type Fault } from '../failure.ts';
import { closedTo, frameClosed, siteClosed } from './access.ts';
import { openTab, type Tab } from './tabs.ts';

/** What a frame has captured until its answer, and how many frames it has. */
type Captured = { captured?: unknown; frames?: number };

/** `missing`: the frame has no handler for this query yet. */
export type PageAnswer = ({ result: unknown } & Captured) | ({ error: Fault } & Captured) | { missing: true };

type Message = { name: string; arguments: Record<string, unknown> };

type Script = { world?: 'ISOLATED' | 'MAIN'; all_frames?: boolean; js?: string[] };

/** The first, one after the files were injected, and two for navigations in between: each page needs its own files. */
const ATTEMPTS = 4;

/**
 * The content scripts of the manifest. Those of the page's own world are left out: the page's scripts have run there
 * already, so the messages could be read and forged.
 */
const SCRIPTS = ((chrome.runtime.getManifest().content_scripts ?? []) as Script[]).filter(isOurs);
const LATE = 'content/injected_late.js'; // the first file: after it messages from the page's world are not trusted
const EVERYWHERE = [LATE, ...SCRIPTS.filter((script) => script.all_frames).flatMap(({ js = [] }) => js)];
const TOP = SCRIPTS.filter((script) => !script.all_frames).flatMap(({ js = [] }) => js); // measures the load of the page, not of frames
const COMMANDS = 'content/commands.js';
const DRAW = 'content/draw.js';

/** Send a query to the page in a tab, and again if the page was replaced meanwhile: a query changes nothing. */
export async function askPage(
  tab: Tab,
  name: string,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  return contentOf(await answerFrom(tab, { name, arguments: query }, signal));
}

/**
 * Ask the page of a tab, or a frame, once, with what it has captured until then. By a script, which costs half as much as a
 * message; undefined if there is no such page, or no content script in it.
 */
export async function askAtOnce(
  { id, frame = 0 }: Pick<Tab, 'id' | 'frame'>,
  name: string,
  query: Record<string, unknown>,
) {
  try {
    const [asked] = await chrome.scripting.executeScript({
      target: { tabId: id, frameIds: [frame] },
      func: (question: object) => (globalThis as any).gasoline?.answer?.(question),
      args: [{ name, arguments: query }],
      injectImmediately: true,
    });
    return (asked?.result ?? undefined) as PageAnswer | undefined;
  } catch {
    return undefined;
  }
}

/**
 * As `askPage`; what the page has captured until then comes with the answer, also with one that fails. `first`: what the page
 * has been asked already.
 */
export async function askPageWithCaptured(
  tab: Tab,
  name: string,
  query: Record<string, unknown>,
  signal: AbortSignal,
  take: (chunks: unknown, frames: number) => unknown,
  first?: Promise<PageAnswer | undefined>,
): Promise<unknown> {
  let early = first;
  const ask = (now: Tab) => {
    const asked = early ?? askAtOnce(now, name, query);
    early = undefined;
    return asked;
  };
  const answer = await answerFrom(tab, { name, arguments: query }, signal, ask);
  if ('captured' in answer) await take(answer.captured, answer.frames ?? 0);
  return contentOf(answer);
}

async function answerFrom(
  tab: Tab,
  message: Message,
  signal: AbortSignal,
  ask: (tab: Tab, message: Message) => Promise<PageAnswer | undefined> = answerOf,
): Promise<PageAnswer> {
  const { name } = message;
  let now = tab;
  refuseClosed(now);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    signal.throwIfAborted();
    const answer = await ask(now, message);
    signal.throwIfAborted();
    if (answer && !('missing' in answer)) return answer;
    now = {
      ...(await openTab(tab.id, `The tab ${tab.id} was closed before its page answered.`)),
      ...(tab.frame && { frame: tab.frame }),
    };
    refuseClosed(now);
    if (answer) await injectInto(now, filesOf(name));
    else await (now.frame ? injectInto(now, [...EVERYWHERE, COMMANDS]) : inject(now, [COMMANDS]));
  }
  throw new Failure('page_navigated', 'The page was replaced by another several times before it answered.', {
    details: { tab_id: tab.id, url: now.url },
    recovery: 'Wait until the page no longer navigates, then ask again.',
  });
}

/** Throw for a page that no extension may ask, or that the user keeps this one out of. */
function refuseClosed(tab: Tab) {
  if (tab.excluded !== undefined) throw siteClosed(tab.excluded);
  const obstacle = obstacleOf(tab);
  if (obstacle) throw closedTo(tab, obstacle);
}

/** Inject the content scripts into pages that were open before the extension was installed or updated. */
export async function injectEverywhere(): Promise<void> {
  const tabs = await chrome.tabs.query({ url: ['http://*/*', 'https://*/*', 'file:///*'], discarded: false });
  const reachable = tabs.filter((tab) => tab.id !== undefined && !obstacleOf(tab)) as Tab[];
  await Promise.allSettled(reachable.map((tab) => inject(tab, [])));
}

/** The files that answer a query which a page knows nothing of. */
function filesOf(name: string): string[] {
  if (name.startsWith('draw_')) return [DRAW];
  return name === 'page_load' ? TOP : [COMMANDS];
}

function isOurs({ world }: Script) {
  return world !== 'MAIN';
}

/** Undefined if the frame has no content script, or its page was left. */
async function answerOf({ id, frame = 0 }: Tab, message: Message): Promise<PageAnswer | undefined> {
  try {
    return await chrome.tabs.sendMessage(id, message, { frameId: frame });
  } catch {
    return undefined;
  }
}

/** Give the result of an answer, undefined without one, or throw its error. */
export function contentOf(answer: PageAnswer | undefined): any {
  if (!answer || 'missing' in answer) return undefined;
  if ('result' in answer) return answer.result;
  throw Failure.of(answer.error);
}

/**
 * Inject the content scripts and more files into a page; a second time that changes nothing. The other frames are not
 * awaited: one of them may hang.
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
    chrome.scripting.executeScript(all).catch(() => {}); // the tab was closed, or shows another page by now
  } catch (fault) {
    if (!wasReplaced(fault)) throw await tabRefused(tab, fault);
  }
}

/** Inject files into the one frame that is meant, and into no other. */
async function injectInto(tab: Tab, files: string[]): Promise<void> {
  const { id: tabId, frame = 0 } = tab;
  try {
    await chrome.scripting.executeScript({ target: { tabId, frameIds: [frame] }, files, injectImmediately: true });
  } catch (fault) {
    if (wasReplaced(fault)) return;
    throw frame ? frameClosed(`Chrome refuses (${(fault as Error).message})`) : await tabRefused(tab, fault);
  }
}

/** Whether the page was replaced while a script was injected: the one that came has to be asked whether it may be. */
export const wasReplaced = (fault: unknown) => (fault as Error).message.startsWith('Frame with ID 0 was removed');

async function tabRefused({ id }: Tab, fault: unknown): Promise<Failure> {
  const now = await openTab(id, `The tab ${id} was closed before its page answered.`);
  return closedTo(now, obstacleOf(now) ?? obstacleFrom(String((fault as Error).message), now.url ?? ''));
}
