// The actions navigate, refresh, back and forward; the reply has the load of the new page and of the one before.

import type { ActionName } from '../../shared/action_groups.ts';
import { hostOf } from '../../shared/sites.ts';
import { Failure } from '../failure.ts';
import { siteClosed } from '../tabs/access.ts';
import { attach } from '../tabs/debugger.ts';
import { isClosed } from '../tabs/excluded_sites.ts';
import { dialogIn } from '../tabs/open_dialogs.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { comesToRest } from './coming_to_rest.ts';
import { ANSWER_MS, type ComparedLoad, compareLoads, measureLeaving, unfinishedLoad, within } from './load_history.ts';
import { type Arrival, navigateAndWait } from './navigation.ts';
import { hung } from './navigation_failures.ts';
import { TabRequests } from './requests.ts';

/** A step in the tab's history has begun after this time, if there is a page to go to. */
const STEP_MS = 1000;

type Navigation = ActionName<'navigation'>;

const START: Record<Navigation, (tab: Tab, url: unknown, hasBegun: () => boolean) => Promise<unknown>> = {
  navigate: async ({ id }, url) => chrome.tabs.update(id, { url: await addressFrom(url) }),
  refresh: ({ id }) => chrome.tabs.reload(id),
  back: (tab, _, hasBegun) => step(tab, -1, 'back', hasBegun),
  forward: (tab, _, hasBegun) => step(tab, 1, 'forward', hasBegun),
};

/** Perform a navigation: wait until the page is loaded, and measure the load. */
export async function performNavigation(
  tab: Tab,
  { action, url }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<object> {
  const leaving = dialogIn(tab.id) ? {} : await measureLeaving(tab, signal);
  const start = (hasBegun: () => boolean) => START[action as Navigation](tab, url, hasBegun);
  const { arrival, measured } = await arriveAtRest(tab, start, signal, leaving);
  const now = await openTab(tab.id); // the page may have navigated while it was measured
  const reply = { success: true, action, url: now.url ?? '', title: now.title ?? '', ...arrivalFields(arrival) };
  const shown = measured && Object.keys(measured.effects ?? {}).length > 0 ? await shownBy(now, signal) : {};
  return { ...reply, ...shown, ...(measured && { measured }) };
}

/** What a page that has broken tells the user: the error of a development server lies over it. */
async function shownBy(tab: Tab, signal: AbortSignal): Promise<object> {
  const asked = within(ANSWER_MS, askPage(tab, 'arrival', {}, signal), '');
  const { messages, opened } = (await asked.catch(() => ({}))) as { messages?: string[]; opened?: string };
  return { ...(opened && { opened }), ...(messages && { messages }) };
}

/** Navigate, and measure the load while the page comes to rest. */
async function arriveAtRest(
  tab: Tab,
  start: (hasBegun: () => boolean) => Promise<unknown>,
  signal: AbortSignal,
  { left, isSilent = false }: Awaited<ReturnType<typeof measureLeaving>>,
): Promise<{ arrival: Arrival; measured: ComparedLoad | undefined }> {
  const requests = new TabRequests(tab.id);
  try {
    const arrival = await navigateAndWait(tab, start, signal, isSilent);
    const shown = await openTab(tab.id);
    if (arrival.slow) return { arrival, measured: await unfinishedLoad(shown, requests, signal) };
    const rests = comesToRest(shown, requests, signal);
    rests.catch(() => {}); // it is awaited later
    const measured = await compareLoads(shown, left, rests, requests, signal, arrival.load_error);
    return { arrival: { ...arrival, slow: !(await rests) }, measured };
  } finally {
    requests.end();
  }
}

/** The fields of a reply about an arrival: only those that are not as usual. */
export function arrivalFields({ slow, status, ...more }: Arrival) {
  return { ...(slow && { settled: false as const }), ...(status >= 400 && { status }), ...more };
}

/** Check an address that is to be loaded; throw where it is none, or of an excluded site. */
export async function addressFrom(url: unknown): Promise<string> {
  const text = String(url).trim();
  if (URL.canParse(text) && /^(https?|file):$/.test(new URL(text).protocol)) {
    if (await isClosed(text)) throw siteClosed(hostOf(text));
    return new URL(text).href;
  }
  throw new Failure('invalid_params', `${JSON.stringify(text.slice(0, 200))} is not a web address.`, {
    details: { parameter: 'url', value: text.slice(0, 500) },
    recovery: 'Give the whole address, for example "http://localhost:3000/".',
  });
}

async function step(tab: Tab, by: number, action: string, hasBegun: () => boolean) {
  if (!(await stepByPage(tab, by))) return stepByDebugger(tab, by, action);
  await new Promise((done) => setTimeout(done, STEP_MS));
  const { status, pendingUrl } = await openTab(tab.id);
  if (status === 'complete' && pendingUrl === undefined && !hasBegun()) throw noEntry(tab, action);
}

/**
 * Take one step in the tab's history, as its page can; false if the page cannot be asked. Chrome's own button skips every
 * page that was left without a click or key of the user, so all that an assistant has visited
 * (chromium.googlesource.com/chromium/src/+/main/docs/history_manipulation_intervention.md).
 */
async function stepByPage(tab: Tab, by: number): Promise<boolean> {
  const { id } = tab;
  try {
    const func = (by: number) => (globalThis as any).history.go(by);
    const asked = chrome.scripting.executeScript({ target: { tabId: id }, func, args: [by], injectImmediately: true });
    await within(ANSWER_MS, asked, '');
    return true;
  } catch (fault) {
    if (fault instanceof Failure) throw hung(tab);
    return false;
  }
}

/** Take the step where no page can be asked: at an error page, or one of Chrome's own. */
async function stepByDebugger(tab: Tab, by: number, action: string) {
  const attachment = await attach(tab).catch(() => undefined);
  if (!attachment) return stepByButton(tab, action);
  try {
    const { currentIndex, entries } = await attachment.ask('Page.getNavigationHistory');
    const entry = entries[currentIndex + by];
    if (!entry) throw noEntry(tab, action);
    await attachment.ask('Page.navigateToHistoryEntry', { entryId: entry.id });
  } finally {
    await attachment.release();
  }
}

async function stepByButton(tab: Tab, action: string) {
  try {
    await (action === 'back' ? chrome.tabs.goBack(tab.id) : chrome.tabs.goForward(tab.id));
  } catch {
    throw noEntry(tab, action);
  }
}

function noEntry({ id }: Tab, action: string) {
  return new Failure('not_found', `There is no page to go ${action} to in this tab.`, {
    details: { tab_id: id },
    recovery: 'Use interact(action:"navigate", url).',
  });
}
