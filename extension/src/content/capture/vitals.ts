// Captures the Web Vitals of this load, and the load in numbers when it is over; web-vitals knows how they are measured.

import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals/attribution';
import type { PageFaults } from '../../shared/counted_faults.ts';
import type { PerformanceSnapshot, Untimed } from '../../shared/events.ts';
import { nameOf } from '../dom/naming.ts';
import { isIcon, type ResourceEntry, resourceOf } from '../dom/resource_timing.ts';
import { rounded } from '../dom/text.ts';
import { frame, type Query, type SlowestInteraction } from '../frame.ts';
import { faultsOfPage } from '../record/frame_faults.ts';
import { capture } from './capture_event.ts';
import { listenAlways } from './persistent_listeners.ts';

type Metric = {
  name: 'LCP' | 'CLS' | 'INP' | 'FCP' | 'TTFB';
  value: number;
  rating: 'good' | 'needs-improvement' | 'poor';
  attribution: Attribution;
};

type Attribution = {
  target?: string;
  largestShiftTarget?: string;
  interactionTarget?: string;
  interactionType?: string;
  inputDelay?: number;
  processingDuration?: number;
  presentationDelay?: number;
  longestScript?: { entry: { sourceURL: string } };
};

type OnMetric = (report: (metric: Metric) => void, options: object) => void;

/** How long after the load event the largest paint may still come (SPEC, settled contradiction 5). */
const LCP_GRACE_MS = 500;

/** The most resources of a load that are compared with another's. */
const RESOURCES = 1_000;

/** The values of this load so far. */
const vitalsOfLoad: Partial<Record<Metric['name'], number>> = {};

/** The load as it was last captured, as JSON. */
let capturedLoad: string;

function measured({ name, value, rating, attribution }: Metric) {
  const exact = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : rounded(value);
  vitalsOfLoad[name] = exact;
  const { target, largestShiftTarget, interactionTarget, interactionType } = attribution;
  const element = target ?? largestShiftTarget ?? interactionTarget;
  if (name === 'INP' && exact >= (frame.slowest?.ms ?? 0)) frame.slowest = slowestOf(exact, attribution);
  capture({
    type: 'vital',
    name,
    value: exact,
    rating,
    ...(element && { element }),
    ...(interactionType && { interaction: interactionType }),
  });
}

/** Of the vital's interaction, which is real input. */
function slowestOf(ms: number, attribution: Attribution): SlowestInteraction {
  const { interactionTarget, interactionType, inputDelay, processingDuration, presentationDelay } = attribution;
  const script = attribution.longestScript?.entry.sourceURL;
  return {
    ms,
    selector: interactionTarget ?? '',
    event: interactionType ?? '',
    delay_ms: rounded(inputDelay ?? 0),
    run_ms: rounded(processingDuration ?? 0),
    paint_ms: rounded(presentationDelay ?? 0),
    ...(script && { script: script.split(/[?#]/)[0] as string }),
    source: 'event_timing',
  };
}

/** Return this load in numbers (seed 001, PageLoadMetrics), or undefined while it is not over. */
function loadInNumbers(): Untimed<PerformanceSnapshot> | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (!entry?.loadEventEnd) return undefined;
  const { FCP = null, LCP = null, CLS = 0 } = vitalsOfLoad;
  const totals = frame.loadTotals;
  return {
    type: 'performance',
    url: entry.name,
    navigation: entry.type,
    timing: {
      ttfb: rounded(entry.responseStart),
      fcp: FCP,
      lcp: LCP,
      domContentLoaded: rounded(entry.domContentLoadedEventEnd),
      load: rounded(entry.loadEventEnd),
    },
    cls: CLS,
    transferSize: totals.transferSize + entry.transferSize,
    requestCount: totals.requests + 1,
    longTaskCount: totals.longTasks,
    totalBlockingTime: rounded(totals.blockingMs),
    ...(FCP === null && document.hidden && { hidden: true }),
  };
}

/** Capture the load in numbers, unless the last ones were the same. */
function captureLoad() {
  const load = loadInNumbers();
  const text = JSON.stringify(load);
  if (load && text !== capturedLoad) capture(load);
  capturedLoad = text;
}

type PageLoad = {
  load?: object;
  resources: object[];
  hidden: boolean;
  born: number;
  painted?: boolean;
  /** The errors of the page since it began to load. */
  faults?: PageFaults;
};

/** The load as it was when it had come to rest: what the page does later is no load. */
let loadAtRest: PageLoad | undefined;

/** Two frames were drawn since the load event: what had come by then is painted, and its largest paint is known. */
let isPainted = false;

/**
 * Answer with this load, at rest if it is; `load` is absent while it is not over; `born`: another in every document.
 * The query has `brief` where the resources are not asked for.
 */
export function pageLoad({ brief }: Query = {}): PageLoad {
  const faults = !brief && faultsOfPage();
  return { ...(loadAtRest ?? loadUntilNow(brief === true)), painted: isPainted, ...(faults && { faults }) };
}

/**
 * Capture the load of a page that is left. If an action was done in it, the worker gets it too: the next load of the
 * address is compared with it.
 */
function captureLeft() {
  captureLoad();
  if (!frame.actedIn || !chrome.runtime?.id) return;
  chrome.runtime.sendMessage({ name: 'left', load: pageLoad() }).catch(() => {}); // then there is nothing to compare with
}

function loadUntilNow(isBrief: boolean = false): PageLoad {
  const load = loadInNumbers();
  const entries = (isBrief ? [] : performance.getEntriesByType('resource')) as ResourceEntry[];
  const resources = entries
    .filter((entry) => !entry.name.startsWith('chrome-extension:') && !isIcon(entry))
    .slice(0, RESOURCES)
    .map(resourceOf);
  return { ...(load && { load }), resources, hidden: document.hidden, born: performance.timeOrigin };
}

export function startVitals() {
  const options = { reportAllChanges: true, generateTarget: nameOf, durationThreshold: 16 };
  for (const on of [onLCP, onCLS, onINP, onFCP, onTTFB] as OnMetric[]) on(measured, options);
  const rest = () => {
    loadAtRest ??= loadUntilNow();
    captureLoad();
  };
  const captureSoon = () => {
    setTimeout(rest, LCP_GRACE_MS);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => (isPainted = true))));
  };
  if (document.readyState === 'complete') captureSoon();
  else listenAlways('load', captureSoon, {});
  listenAlways('visibilitychange', () => document.hidden && captureLoad());
  listenAlways('pagehide', captureLeft);
}
