// Brings tabs to pages, and measures each load beside the one that it is compared with; it must not compare them.
//
// A load is compared with the last one of the same address (without its fragment) in the same tab: that of the page which
// is left, or one of before. Loads lie in chrome.storage.session: they outlive the worker, not the browser.

import { Failure } from '../failure.ts';
import { attach } from '../tabs/debugger.ts';
import { dialogIn } from '../tabs/open_dialogs.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { type Arrival, passage } from './navigation.ts';

/** `at`: Date.now() when it was measured */
export type Load = {
  load?: { url: string; timing: { lcp: number | null } };
  resources: object[];
  hidden: boolean;
  born: number;
  at?: number;
};

/** What goes to another page. */
export const TRAVELLING = ['navigate', 'refresh', 'back', 'forward'];

/** The longest wait, after the load event, for the largest paint to be the same twice (SPEC, settled contradiction 5). */
const PAINT_MS = 500;
const PAINT_STEP_MS = 100;

/** The longest wait for a page's answer: one that hangs can still be left. */
const ANSWER_MS = 1000;

/** After so long a step in the tab's history has begun, if there is a page to go to. */
const STEP_MS = 1000;

/**
 * The most loads that are remembered, of the pages that somebody works on, and the most characters of them all: the
 * storage has 10 MB (developer.chrome.com/docs/extensions/reference/api/storage), in which also stands what is never done twice.
 */
const KEPT = 20;
const KEPT_CHARACTERS = 2_000_000;

/** The longest address of a resource that is compared. */
const URL_CHARACTERS = 500;

const KEY = 'loads';

/**
 * Go somewhere, wait until it is loaded, and give both loads.
 * @param query `action`, `url`
 */
export async function travel(tab: Tab, { action, url }: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  const wanted = action === 'navigate' ? addressFrom(url) : '';
  const left = dialogIn(tab.id) ? undefined : await loadIn(tab, signal); // it goes with its page
  if (left && (await recall(tab))?.born !== left.born) await remember(tab, left); // else it was measured when it came
  const arrival = await passage(tab, () => go(tab, String(action), wanted), signal);
  const shown = await openTab(tab.id);
  const measured = arrival.slow ? { unavailable: 'the page is still loading' } : await compared(shown, left, signal);
  const now = await openTab(tab.id); // a page may have sent to another while it was measured
  const told = { success: true, action, url: now.url ?? '', title: now.title ?? '', ...arrivalTold(arrival) };
  return { ...told, ...(measured && { measured }) };
}

/** Returns what a reply says of it: only what is not as it should be */
export function arrivalTold({ slow, status, ...more }: Arrival): {
  settled?: false;
  status?: number;
  load_error?: string;
  download?: true;
} {
  return { ...(slow && { settled: false as false }), ...(status >= 400 && { status }), ...more };
}

/**
 * Measure the load of the page that has come, and give the one before it of the same address.
 * @param left the page that was left
 * @returns undefined if nothing was loaded: only the fragment is another
 */
async function compared(shown: Tab, left: Load | undefined, signal: AbortSignal): Promise<object | undefined> {
  try {
    const after = await restingLoad(shown, signal);
    if (after?.born === left?.born) return undefined;
    const now = await openTab(shown.id);
    const before = await recall(now);
    if (before && before.born === after?.born)
      return { unavailable: 'the page was kept as it was left: nothing was loaded' };
    await remember(now, after);
    const load = measuredOf(after);
    return load ? { load, ...(before && { before: agedOf(before) }) } : { unavailable: 'the page tells no load' };
  } catch (fault) {
    signal.throwIfAborted();
    if (fault instanceof Failure && fault.fault.details?.['reason'] === 'error_page')
      throw failed(fault.message, shown);
    return { unavailable: fault instanceof Failure ? fault.message : 'the page could not be asked' };
  }
}

async function go(tab: Tab, action: string, url: string) {
  if (action === 'navigate') return void (await chrome.tabs.update(tab.id, { url }));
  if (action === 'refresh') return void (await chrome.tabs.reload(tab.id));
  const by = action === 'back' ? -1 : 1;
  if (!(await stepped(tab, by))) return step(tab, by, action);
  await new Promise((done) => setTimeout(done, STEP_MS));
  const { status, pendingUrl } = await openTab(tab.id);
  if (status === 'complete' && pendingUrl === undefined) throw nowhere(tab, action); // if it has gone, nobody hears this
}

/**
 * Take one step in the tab's history, as its page can. Chrome's own button passes over every page that was left without a
 * click or key of the user (chromium.googlesource.com/chromium/src/+/main/docs/history_manipulation_intervention.md): over all
 * that an assistant has been at.
 * @returns whether the page could be asked
 */
async function stepped({ id }: Tab, by: number): Promise<boolean> {
  try {
    const func = (by: number) => (globalThis as any).history.go(by);
    const asked = chrome.scripting.executeScript({ target: { tabId: id }, func, args: [by], injectImmediately: true });
    await within(ANSWER_MS, asked, `Tab ${id} does not answer.`);
    return true;
  } catch (fault) {
    if (fault instanceof Failure) throw fault;
    return false;
  }
}

/** Take the step where there is no page to ask: at an error, or a page of Chrome's own. */
async function step(tab: Tab, by: number, action: string) {
  const attachment = await attach(tab).catch(() => undefined);
  if (!attachment) return goByButton(tab, action);
  try {
    const { currentIndex, entries } = await attachment.ask('Page.getNavigationHistory');
    const entry = entries[currentIndex + by];
    if (!entry) throw nowhere(tab, action);
    await attachment.ask('Page.navigateToHistoryEntry', { entryId: entry.id });
  } finally {
    await attachment.release();
  }
}

async function goByButton(tab: Tab, action: string) {
  try {
    await (action === 'back' ? chrome.tabs.goBack(tab.id) : chrome.tabs.goForward(tab.id));
  } catch {
    throw nowhere(tab, action);
  }
}

/** Wait for a page's answer; one that hangs gives none. */
function within<R>(ms: number, asked: Promise<R>, late: string): Promise<R> {
  const fault = new Failure('deadline_exceeded', late, {
    recovery: 'Use interact(action:"navigate", url), or close the tab.',
  });
  return Promise.race([asked, new Promise((_: (none: never) => void, fail) => setTimeout(fail, ms, fault))]);
}

/** Measure the page until its largest paint is the same twice. */
async function restingLoad(tab: Tab, signal: AbortSignal): Promise<Load | undefined> {
  const begun = performance.now();
  const ask = () => within(ANSWER_MS, askPage(tab, 'page_load', {}, signal), 'the page does not answer');
  let last = (await ask()) as Load;
  for (;;) {
    const waited = performance.now() - begun;
    if (waited >= PAINT_MS && last.load) return last;
    if (waited >= 2 * PAINT_MS) return last;
    await new Promise((done) => setTimeout(done, PAINT_STEP_MS));
    signal.throwIfAborted();
    const next = (await ask()) as Load;
    const same =
      next.load && last.load && next.load.timing.lcp !== null && next.load.timing.lcp === last.load.timing.lcp;
    last = next;
    if (same) return last;
  }
}

/** Returns of the page that is there now; undefined if it cannot be asked */
async function loadIn(tab: Tab, signal: AbortSignal): Promise<Load | undefined> {
  try {
    return (await within(ANSWER_MS, askPage(tab, 'page_load', {}, signal), '')) as Load;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Returns in the shape that the diff worker takes */
function measuredOf(load: Load | undefined): object | undefined {
  return load?.load && { ...load.load, resources: load.resources.map(shortened), hidden: load.hidden };
}

function shortened(resource: any) {
  return { ...resource, url: String(resource.url).slice(0, URL_CHARACTERS) };
}

function agedOf(load: Load) {
  return { ...measuredOf(load), ageS: Math.round((Date.now() - (load.at ?? Date.now())) / 1000) };
}

function nowhere({ id }: Tab, action: string) {
  return new Failure('not_found', `There is no page to go ${action} to in this tab.`, {
    details: { tab_id: id },
    recovery: 'Use interact(action:"navigate", url).',
  });
}

function nameOf({ id, url = '' }: Tab) {
  return `${id} ${url.replace(/#.*/s, '')}`;
}

/**
 * Remember the load of a page that an action, or the user, has left.
 * @param id of its tab
 */
export async function rememberLeft(id: number, load: Load) {
  const page = { id, url: load.load?.url ?? '' } as Tab;
  if ((await recall(page))?.born !== load.born) await remember(page, load);
}

async function remember(tab: Tab, load: Load | undefined) {
  if (!load?.load) return;
  const { [KEY]: kept = {} } = await chrome.storage.session.get(KEY);
  const others = Object.entries(kept as Record<string, Load>).filter(([name]) => name !== nameOf(tab));
  const all = [...others, [nameOf(tab), { ...load, resources: load.resources.map(shortened), at: Date.now() }]].slice(
    -KEPT,
  );
  await chrome.storage.session.set({ [KEY]: Object.fromEntries(newestOf(all)) }).catch(() => {}); // then there is nothing to compare with
}

/**
 * @param loads the newest last
 * @returns the newest, as many as there is room for
 */
function newestOf(loads: any[][]): any[][] {
  let left = KEPT_CHARACTERS;
  const first = loads.findLastIndex((load) => (left -= JSON.stringify(load).length) < 0);
  return loads.slice(first + 1);
}

async function recall(tab: Tab): Promise<Load | undefined> {
  const { [KEY]: kept = {} } = await chrome.storage.session.get(KEY);
  return (kept as Record<string, Load>)[nameOf(tab)];
}

export function addressFrom(url: unknown): string {
  const text = typeof url === 'string' ? url.trim() : '';
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^(https?|file):$/.test(parsed.protocol)) return parsed.href;
  throw new Failure('invalid_params', 'url must be a whole address that begins with http:// or https://.', {
    details: { parameter: 'url', value: text.slice(0, 500) },
    recovery: 'For example: http://localhost:3000/',
  });
}

function failed(why: string, tab: Tab) {
  return new Failure('navigation_failed', why, {
    details: { tab_id: tab.id },
    recovery: 'See that the server answers; what has loaded can be looked at with observe(what:"page").',
  });
}
