// Tells the Web Vitals of this load, and the load in numbers when it is over; web-vitals (vendor) knows how they are made.

'use strict';

/** @typedef {{name: 'LCP' | 'CLS' | 'INP' | 'FCP' | 'TTFB', value: number, rating: 'good' | 'needs-improvement' | 'poor',
 *   attribution: {target?: string, largestShiftTarget?: string, interactionTarget?: string, interactionType?: string}}} Metric */
/** @typedef {(report: (metric: Metric) => void, options: object) => void} OnMetric */

/** How long after the load event the largest paint may still come (SPEC, settled contradiction 5). */
var LCP_GRACE_MS = 500;

/** The most resources of a load that are compared with another's. */
var RESOURCES = 1_000;

/** @type {Partial<Record<Metric['name'], number>> | undefined}  the values of this load so far */
var vitalsOfLoad;

/** @type {string}  the load as it was last told, as JSON */
var toldLoad;

/** @param {Metric} metric */
function measured({ name, value, rating, attribution }) {
  const exact = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : rounded(value);
  /** @type {NonNullable<typeof vitalsOfLoad>} */ (vitalsOfLoad)[name] = exact;
  const { target, largestShiftTarget, interactionTarget, interactionType } = attribution;
  const element = target ?? largestShiftTarget ?? interactionTarget;
  capture({
    type: 'vital',
    name,
    value: exact,
    rating,
    ...(element && { element }),
    ...(interactionType && { interaction: interactionType }),
  });
}

/**
 * Give this load in numbers (seed 001, PageLoadMetrics).
 * @returns {import('../shared/events.js').Untimed<import('../shared/events.js').PerformanceSnapshot> | undefined}  undefined
 *   while it is not over
 */
function loadInNumbers() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  if (!entry?.loadEventEnd) return undefined;
  const { FCP = null, LCP = null, CLS = 0 } = /** @type {NonNullable<typeof vitalsOfLoad>} */ (vitalsOfLoad);
  const totals = /** @type {NonNullable<typeof loadTotals>} */ (loadTotals);
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

/** Tell the load in numbers, unless they are those that were told last. */
function tellLoad() {
  const load = loadInNumbers();
  const text = JSON.stringify(load);
  if (load && text !== toldLoad) capture(load);
  toldLoad = text;
}

/** @typedef {{load?: object, resources: object[], hidden: boolean, born: number}} PageLoad */

/** @type {PageLoad | undefined}  the load as it was when it had come to rest: what the page does later is no load */
var loadAtRest;

/**
 * Answer with this load, at rest if it is; `load` is absent while it is not over; `born`: another in every document.
 * @returns {PageLoad}
 */
function pageLoad() {
  return loadAtRest ?? loadUntilNow();
}

/** Tell the load of a page that is left; of one that was acted in also to whom the next one of its address is compared. */
function tellLeft() {
  tellLoad();
  if (!wasActedIn || !chrome.runtime?.id) return;
  chrome.runtime.sendMessage({ name: 'left', load: pageLoad() }).catch(() => {}); // then there is nothing to compare with
}

/** @returns {PageLoad} */
function loadUntilNow() {
  const load = loadInNumbers();
  const entries = /** @type {ResourceEntry[]} */ (performance.getEntriesByType('resource'));
  const resources = entries.filter(({ name }) => !name.startsWith('chrome-extension:')).slice(0, RESOURCES).map(resourceOf);
  return { ...(load && { load }), resources, hidden: document.hidden, born: performance.timeOrigin };
}

if (!vitalsOfLoad) {
  vitalsOfLoad = {};
  const { onLCP, onCLS, onINP, onFCP, onTTFB } = /** @type {Record<string, OnMetric>} */ (
    /** @type {any} */ (globalThis).webVitals
  );
  const options = { reportAllChanges: true, generateTarget: nameOf, durationThreshold: 16 };
  for (const on of [onLCP, onCLS, onINP, onFCP, onTTFB]) /** @type {OnMetric} */ (on)(measured, options);
  const rest = () => {
    loadAtRest ??= loadUntilNow();
    tellLoad();
  };
  const tellSoon = () => setTimeout(rest, LCP_GRACE_MS);
  if (document.readyState === 'complete') tellSoon();
  else hearAlways('load', tellSoon, {});
  hearAlways('visibilitychange', () => document.hidden && tellLoad());
  hearAlways('pagehide', tellLeft);
}
