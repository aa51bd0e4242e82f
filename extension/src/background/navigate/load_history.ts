// Measures page loads, and remembers them by tab and address for the next load of the same page.
//
// Loads are kept in chrome.storage.session: they outlive the worker, not the browser.

import type { PageFaults } from '../../shared/counted_faults.ts';
import { Failure } from '../failure.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { unreachable } from './navigation_failures.ts';
import { faultsOf } from './page_faults.ts';
import type { TabRequests } from './requests.ts';

/** `born` differs in every document. `at`: `Date.now()` when it was measured. */
export type Load = {
  load?: { url: string; timing: { lcp: number | null }; requestCount: number };
  resources: object[];
  hidden: boolean;
  born: number;
  /** Two frames were drawn since it was complete. */
  painted?: boolean;
  faults?: PageFaults;
  at?: number;
  /** The metrics of the loads of the same page before it, the newest last. */
  recent?: object[];
};

/** What the diff worker compares (LoadsMeasured of diff/messages.py); `effects`: what went wrong in the page at `url`. */
export type ComparedLoad = {
  load?: object;
  before?: object;
  recent?: object[];
  unavailable?: string;
  effects?: object;
  url?: string;
};

/** The longest wait, after the load event, for the largest paint to be known (SPEC, settled contradiction 5). */
const PAINT_MS = 500;
const PAINT_STEP_MS = 16;

/** How often a page that has not come to rest is asked: a request that ends meanwhile may be in its answer or not. */
const ASKED = 3;

/** The longest wait for a page's answer: a page that hangs can still be left. */
export const ANSWER_MS = 1000;

/** The same for a page that has just come: its scripts may still be on their way, and it is not left. */
const FIRST_ANSWER_MS = 2000;

/**
 * The limits of what is remembered: the pages that are worked on. chrome.storage.session has 10 MB
 * (developer.chrome.com/docs/extensions/reference/api/storage), which also hold the ledger.
 */
const KEPT = 20;
const KEPT_CHARACTERS = 2_000_000;

/** The most earlier loads of a page by which noise is told from change. */
const RECENT = 8;

const URL_CHARACTERS = 500;

const KEY = 'loads';

/** Measure the page that is there before it is left; nothing if it cannot be asked. `isSilent`: it does not answer. */
export async function measureLeaving(tab: Tab, signal: AbortSignal): Promise<{ left?: Load; isSilent?: boolean }> {
  try {
    const load = (await within(ANSWER_MS, askPage(tab, 'page_load', {}, signal), '')) as Load;
    await rememberLeftPage(tab.id, load);
    return { left: load };
  } catch (fault) {
    signal.throwIfAborted();
    return isLate(fault) ? { isSilent: true } : {};
  }
}

function isLate(fault: unknown) {
  return fault instanceof Failure && fault.fault.code === 'deadline_exceeded';
}

/**
 * Measure the page that has come, once it rests, beside the last load of its address; undefined if no document was loaded.
 * `error`: what Chrome failed with, which is thrown if the page turns out to be that of the error.
 */
export async function compareLoads(
  shown: Tab,
  left: Load | undefined,
  rests: Promise<boolean>,
  requests: Pick<TabRequests, 'running' | 'exchanges' | 'complete'>,
  signal: AbortSignal,
  error?: string,
): Promise<ComparedLoad | undefined> {
  try {
    const kept = loadsKept();
    const after = await finalLoad(shown, rests, requests, signal);
    if (after?.born === left?.born) return undefined;
    const now = await openTab(shown.id);
    const before = (await kept)[keyOf(now)];
    if (before && before.born === after?.born)
      return { unavailable: 'the page came from the back/forward cache: nothing was loaded' };
    void remember(now, after);
    const load = measuredOf(after);
    const recent = before?.recent?.length ? { recent: before.recent } : {};
    const effects = { effects: faultsOf(after?.faults ?? {}, requests), url: now.url ?? '' };
    return load
      ? { load, ...(before && { before: withAge(before), ...recent }), ...effects }
      : { unavailable: 'the page has no load timing', ...effects };
  } catch (fault) {
    signal.throwIfAborted();
    if (fault instanceof Failure && fault.fault.details?.['reason'] === 'error_page')
      throw error ? unreachable(shown, error) : loadFailed(fault, shown);
    return { unavailable: fault instanceof Failure ? fault.message : 'the page could not be asked' };
  }
}

/** What there is to report of a page that loads on and on: what has gone wrong in it so far. */
export async function unfinishedLoad(
  shown: Tab,
  requests: Pick<TabRequests, 'exchanges' | 'complete'>,
  signal: AbortSignal,
): Promise<ComparedLoad> {
  const asked = within(ANSWER_MS, askPage(shown, 'page_load', {}, signal), '') as Promise<Load>;
  const { faults = {} } = await asked.catch(() => ({}) as Partial<Load>);
  return { unavailable: 'the page is still loading', effects: faultsOf(faults, requests), url: shown.url ?? '' };
}

/** Remember the load of a page that is left, by the address that was loaded; it may have been measured when it came. */
export async function rememberLeftPage(tabId: number, load: Load) {
  const page = { id: tabId, url: load.load?.url ?? '' } as Tab;
  if ((await recall(page))?.born !== load.born) await remember(page, load);
}

/** Wait for a page's answer; one that hangs gives none. */
export function within<R>(ms: number, answer: Promise<R>, message: string): Promise<R> {
  const fault = new Failure('deadline_exceeded', message, {
    recovery: 'Use interact(action:"navigate", url), or close the tab.',
  });
  return Promise.race([answer, new Promise((_: (none: never) => void, fail) => setTimeout(fail, ms, fault))]);
}

/** Measure the page once its largest paint is known and it rests; a page that answers no more leaves its last answer. */
async function finalLoad(
  tab: Tab,
  rests: Promise<boolean>,
  requests: Pick<TabRequests, 'running'>,
  signal: AbortSignal,
): Promise<Load> {
  const begun = performance.now();
  const measure = async (ms: number, query: object) =>
    (await within(ms, askPage(tab, 'page_load', { ...query }, signal), 'the page does not answer')) as Load;
  const measureNext = (last: Load, query: object) =>
    measure(ANSWER_MS, query).catch((fault) => {
      if (isLate(fault)) return last;
      throw fault;
    });
  let isAtRest = false;
  rests.then(() => (isAtRest = true)).catch(() => {}); // it is awaited below
  let last = await measure(FIRST_ANSWER_MS, { brief: true });
  for (let before: Load | undefined; !isFinal(last, before, isAtRest); ) {
    if (performance.now() - begun >= (last.load ? PAINT_MS : 2 * PAINT_MS)) break;
    await new Promise((done) => setTimeout(done, PAINT_STEP_MS));
    signal.throwIfAborted();
    before = last;
    last = await measureNext(last, { brief: true });
  }
  const isWhole = await rests;
  for (let asked = 1; ; asked++) {
    const { running } = requests;
    last = await measureNext(last, {});
    if (isWhole) return last;
    if (running === requests.running || asked === ASKED) return withRunning(last, running);
  }
}

/**
 * Whether the largest paint of a load is known: what had come by its end is drawn, and another look found the same. A page
 * that rests without one has drawn nothing.
 */
function isFinal({ load, hidden, painted, born }: Load, before: Load | undefined, isAtRest: boolean): boolean {
  if (!load) return false;
  if (hidden) return true; // it draws nothing
  const { lcp } = load.timing;
  if (lcp === null) return painted === true && isAtRest;
  return painted === true && before?.born === born && before.load?.timing.lcp === lcp;
}

/** Count what runs still as a page that has not come to rest is measured: by when it ends is the server's speed. */
function withRunning({ load, ...more }: Load, running: number): Load {
  return { ...more, ...(load && { load: { ...load, requestCount: load.requestCount + running } }) };
}

/** In the shape that the diff worker takes. */
function measuredOf(load: Load | undefined): object | undefined {
  return load?.load && { ...load.load, resources: load.resources.map(shortened), hidden: load.hidden };
}

function withAge(load: Load) {
  return { ...measuredOf(load), ageS: Math.round((Date.now() - (load.at ?? Date.now())) / 1000) };
}

function shortened(resource: any) {
  return { ...resource, url: String(resource.url).slice(0, URL_CHARACTERS) };
}

async function remember(tab: Tab, load: Load | undefined) {
  if (!load?.load) return;
  const { faults: _, ...timed } = load; // of a load before nothing is told
  const kept = await loadsKept();
  const others = Object.entries(kept).filter(([key]) => key !== keyOf(tab));
  const earlier = kept[keyOf(tab)];
  const recent = [...(earlier?.recent ?? []), ...(earlier?.load ? [earlier.load] : [])].slice(-RECENT);
  const own: [string, Load] = [
    keyOf(tab),
    { ...timed, resources: load.resources.map(shortened), at: Date.now(), recent },
  ];
  const newest = withinLimits([...others, own].slice(-KEPT));
  await chrome.storage.session.set({ [KEY]: Object.fromEntries(newest) }).catch(() => {}); // then nothing is compared
}

/** Drop the oldest loads until the rest fits; the newest is the last. */
function withinLimits(loads: [string, Load][]): [string, Load][] {
  let left = KEPT_CHARACTERS;
  const first = loads.findLastIndex((load) => (left -= JSON.stringify(load).length) < 0);
  return loads.slice(first + 1);
}

async function recall(tab: Tab): Promise<Load | undefined> {
  return (await loadsKept())[keyOf(tab)];
}

async function loadsKept(): Promise<Record<string, Load>> {
  const { [KEY]: kept = {} } = await chrome.storage.session.get(KEY);
  return kept as Record<string, Load>;
}

function keyOf({ id, url = '' }: Tab) {
  return `${id} ${url.replace(/#(?![/!]).*/s, '')}`; // a fragment that is a route names another page
}

function loadFailed({ message }: Failure, tab: Tab) {
  return new Failure('navigation_failed', message, {
    details: { tab_id: tab.id },
    recovery: 'See that the server answers; what has loaded can be looked at with observe(what:"page").',
  });
}
