// Tells the entries of the performance timeline as they come; it must hold none, the page's own buffers stay as they are.

'use strict';

/** @typedef {import('../shared/events.js').ResourceEvent} ResourceEvent */
/** @typedef {PerformanceEntry & {interactionId: number, target: Node | null}} InteractionEntry */
/** @typedef {PerformanceEntry & {value: number, hadRecentInput: boolean, sources: {node: Node | null}[]}} ShiftEntry */
/** @typedef {PerformanceResourceTiming & {deliveryType: string, renderBlockingStatus: string}} ResourceEntry */

/** Milliseconds from which an interaction is told; it is slow from 200 (https://web.dev/articles/inp). */
var SLOW_INTERACTION_MS = 40;

/** Milliseconds above which a task blocks (https://w3c.github.io/longtasks/). */
var LONG_TASK_MS = 50;

/** The longest names and details of marks and measures. */
var MARK_CHARACTERS = 200;
var DETAIL_CHARACTERS = 1_000;

/** @type {{requests: number, transferSize: number, longTasks: number, blockingMs: number} | undefined}  of this load */
var loadTotals;

/**
 * @param {PerformanceEntry} entry
 * @param {object} more
 */
function timed({ entryType, name, startTime, duration }, more = {}) {
  capture(
    /** @type {any} */ ({
      type: 'timing',
      ts: performance.timeOrigin + startTime,
      entry: entryType,
      name: clip(name, MARK_CHARACTERS),
      start: rounded(startTime),
      duration: rounded(duration),
      ...more,
    }),
  );
}

/**
 * @param {ResourceEntry} entry
 */
function loaded(entry) {
  if (entry.name.startsWith('chrome-extension:')) return;
  const totals = /** @type {NonNullable<typeof loadTotals>} */ (loadTotals);
  totals.requests++;
  totals.transferSize += entry.transferSize;
  capture(resourceOf(entry));
}

/**
 * @param {ResourceEntry} entry
 * @returns {ResourceEvent}
 */
function resourceOf(entry) {
  const { name, initiatorType, startTime, duration, requestStart, responseStart, responseStatus } = entry;
  const told = requestStart > 0 || entry.decodedBodySize > 0; // else another origin without Timing-Allow-Origin
  return {
    type: 'resource',
    ts: performance.timeOrigin + startTime,
    url: name,
    initiator: initiatorType || 'other',
    start: rounded(startTime),
    duration: rounded(duration),
    ...(responseStatus && { status: responseStatus }),
    ...(told && {
      ttfb: rounded(Math.max(0, responseStart - startTime)),
      transferSize: entry.transferSize,
      encodedSize: entry.encodedBodySize,
      decodedSize: entry.decodedBodySize,
    }),
    ...(entry.nextHopProtocol && { protocol: entry.nextHopProtocol }),
    ...((entry.deliveryType === 'cache' || (told && !entry.transferSize && entry.decodedBodySize)) && { cached: true }),
    ...(entry.renderBlockingStatus === 'blocking' && { renderBlocking: true }),
  };
}

/** @param {PerformanceMark | PerformanceMeasure} entry */
function marked(entry) {
  const detail = textOfDetail(entry);
  timed(entry, { ...(detail && { detail }) });
}

/**
 * @param {PerformanceMark | PerformanceMeasure} entry
 * @returns {string}  its detail as JSON; empty for none, and for one that is no JSON
 */
function textOfDetail(entry) {
  try {
    return entry.detail == null ? '' : clip(JSON.stringify(entry.detail) ?? '', DETAIL_CHARACTERS);
  } catch {
    return '';
  }
}

/** @param {PerformanceEntry} entry */
function blocked(entry) {
  const totals = /** @type {NonNullable<typeof loadTotals>} */ (loadTotals);
  totals.longTasks++;
  totals.blockingMs += entry.duration - LONG_TASK_MS;
  timed(entry);
}

/** @param {ShiftEntry} entry */
function shifted(entry) {
  if (entry.hadRecentInput) return;
  const element = briefNameOf(entry.sources[0]?.node);
  timed(entry, { value: Math.round(entry.value * 10_000) / 10_000, ...(element && { element }) });
}

/** @param {InteractionEntry} entry */
function interacted(entry) {
  if (!entry.interactionId) return; // a pointer that only moves, say
  const element = briefNameOf(entry.target);
  timed(entry, { ...(element && { element }) });
}

/** @type {Record<string, (entry: any) => void>} */
var timelineEntries = {
  resource: loaded,
  mark: marked,
  measure: marked,
  longtask: blocked,
  'layout-shift': shifted,
  event: interacted,
};

if (!loadTotals) {
  loadTotals = { requests: 0, transferSize: 0, longTasks: 0, blockingMs: 0 };
  for (const [type, tell] of Object.entries(timelineEntries)) {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(tell));
    observer.observe({ type, buffered: true, ...(type === 'event' && { durationThreshold: SLOW_INTERACTION_MS }) });
  }
}
