// Gathers the evidence of an analysis: its parts side by side, one analysis at a time in a tab, until its time is over.
//
// What is judged, and how, is the audit worker's (workers/gasoline_workers/audit). A result that is whole is kept for a
// moment, for the same question about the same document.

import { Failure, faultOf } from '../failure.ts';
import { arrived } from '../tabs/arrival.ts';
import type { Tab } from '../tabs/tabs.ts';
import { accessibility } from './accessibility.ts';
import { memory } from './memory.ts';
import { documentIn, left } from './page_calls.ts';
import { performanceOf } from './performance.ts';
import { Results } from './results.ts';
import { security } from './security.ts';
import { inTurn } from './turns.ts';

export type Part = 'accessibility' | 'memory' | 'performance' | 'security';

export type Warning = 'page_navigated' | 'timeout';

/**
 * `document`: the id of the one that the tab shows. `until`: `performance.now()` by which a part must have answered.
 * `warn` notes that its evidence is not whole.
 */
export type Page = {
  tab: Tab;
  document: string;
  until: number;
  signal: AbortSignal;
  warn: (warning: Warning) => void;
};

/** `query`: the arguments of the analysis; a part reads its own. */
export type Gather = (page: Page, query: Record<string, unknown>) => Promise<object>;

/** From each part to what gathers its evidence. */
const PARTS: Partial<Record<Part, Gather>> = {
  accessibility,
  memory,
  performance: performanceOf,
  security,
};

type AnalysisQuery = {
  parts: Part[];
  arguments: Record<string, unknown>;
  timeout_ms: number;
  /** The greatest age of a result that may be given again. */
  cached_ms: number;
};

type Fault = { code: string; message: string };

type Evidence = {
  page: { url: string; title: string };
  evidence: Record<string, object>;
  failures: Record<string, Fault>;
  warnings: Warning[];
  duration_ms: number;
};

/** The time that is left for the answer when the parts must have ended. */
const ANSWER_MS = 250;

const NAME_CHARACTERS = 500;

const results: Results<Evidence> = new Results();

export const auditAccessibility: (tab: Tab, query: object, signal: AbortSignal) => Promise<object> = (
  tab,
  query,
  signal,
) => analyze(tab, { ...query, parts: ['accessibility'] }, signal);

export async function analyze(tab: Tab, query: Record<string, unknown>, signal: AbortSignal): Promise<object> {
  const wanted = query as AnalysisQuery;
  const until = performance.now() + wanted.timeout_ms - ANSWER_MS;
  const now = await within(arrived(tab, signal), until, wanted);
  return inTurn(tab.id, until, (hold) => run(now.tab, wanted, { until, signal, hold }));
}

type Run = { until: number; signal: AbortSignal; hold: (work: Promise<unknown>) => void };

async function run(tab: Tab, query: AnalysisQuery, { until, signal, hold }: Run): Promise<object> {
  signal.throwIfAborted();
  const shown = await within(documentIn(tab, 0), until, query);
  const key = JSON.stringify([tab.id, shown, query.parts, query.arguments]);
  const known = results.get(key, query.cached_ms);
  if (known) return { ...known, cached: true };
  const begun = performance.now();
  const found = await gather(tab, query, { until, signal, hold, shown });
  signal.throwIfAborted();
  const { url = '', title = '' } = tab;
  const answer = {
    page: { url: clip(url), title: clip(title) },
    ...found,
    duration_ms: Math.round(performance.now() - begun),
  };
  if (!found.warnings.length && !Object.keys(found.failures).length) results.keep(key, answer);
  return answer;
}

/**
 * Gather what the parts can; throws what the first one failed with if all have failed. What axe found is proof that the
 * page was there to the end: it begins last, and another look would wait until the page has collected its garbage.
 */
async function gather(tab: Tab, query: AnalysisQuery, { until, signal, hold, shown }: Run & { shown: string }) {
  const warnings: Set<Warning> = new Set();
  const page = { tab, document: shown, until, signal, warn: (warning: Warning) => void warnings.add(warning) };
  const watch = untilLeft(tab, shown);
  const works = begunInOrder(query.parts, until, (part) => Promise.race([gathered(part, page, query), watch.promise]));
  Promise.allSettled(works).then(watch.stop);
  for (const work of works) hold(work); // it may go on in the page when its time is over
  const ended = await Promise.allSettled(works.map((work) => within(work, until, query)));
  const faults = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (faults.length === ended.length) throw faults[0];
  const evidence: Record<string, object> = {};
  const failures: Record<string, Fault> = {};
  ended.forEach((one, at) => {
    const part = query.parts[at] as Part;
    if (one.status === 'fulfilled') evidence[part] = one.value;
    else failures[part] = briefOf(one.reason);
  });
  for (const { code } of Object.values(failures)) {
    if (code === 'page_navigated') warnings.add('page_navigated');
    if (code === 'analysis_timeout') warnings.add('timeout');
  }
  if (!evidence['accessibility'] && (await documentIn(tab, 0).catch(() => '')) !== shown)
    warnings.add('page_navigated');
  return { evidence, failures, warnings: [...warnings] };
}

/**
 * Begin all parts at once, but for accessibility, which keeps the page busy: it begins when the others have ended, or have
 * used half of the time.
 */
function begunInOrder(parts: Part[], until: number, begin: (part: Part) => Promise<object>): Promise<object>[] {
  const others = parts.filter((part) => part !== 'accessibility');
  const light: Map<Part, Promise<object>> = new Map(others.map((part) => [part, begin(part)]));
  const calm = light.size ? settledWithin([...light.values()], (until - performance.now()) / 2) : Promise.resolve();
  return parts.map((part) => light.get(part) ?? calm.then(() => begin(part)));
}

function settledWithin(works: Promise<unknown>[], ms: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, Math.max(0, ms));
    Promise.allSettled(works).then(() => (clearTimeout(timer), done()));
  });
}

async function gathered(part: Part, page: Page, query: AnalysisQuery): Promise<object> {
  const gatherPart = PARTS[part];
  if (!gatherPart) throw new Failure('not_found', `This version of the extension has no analysis of ${part}.`);
  return gatherPart(page, query.arguments);
}

function briefOf(fault: unknown): Fault {
  const { code, message } = faultOf(fault);
  return { code, message };
}

/** A promise that is rejected when a tab shows another document: what was asked of the last one may never be answered. */
function untilLeft(tab: Tab, shown: string): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const look = async (id: number) => {
    if (id === tab.id && (await documentIn(tab, 0).catch(() => '')) !== shown) reject(left());
  };
  promise.catch(() => {}); // a page that is left after all has ended is no fault
  chrome.tabs.onUpdated.addListener(look);
  return { promise, stop: () => chrome.tabs.onUpdated.removeListener(look) };
}

/** Wait for some work until its time is over. */
async function within<T>(work: Promise<T>, until: number, { parts, timeout_ms }: AnalysisQuery): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(parts, timeout_ms)), Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(parts: Part[], ms: number) {
  return new Failure('analysis_timeout', `The analysis (${parts.join(', ')}) did not end within ${ms / 1000} s.`, {
    details: { timeout_ms: ms },
  });
}

function clip(text: string) {
  return text.slice(0, NAME_CHARACTERS).toWellFormed();
}
