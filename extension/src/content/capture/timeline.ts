// Captures the entries of the performance timeline as they come; it must hold none, the page's own buffers stay as they are.

import { briefNameOf } from '../dom/naming.ts';
import { isIcon, type ResourceEntry, resourceOf, type ShiftEntry } from '../dom/resource_timing.ts';
import { clip, rounded } from '../dom/text.ts';
import { frame } from '../frame.ts';
import { capture } from './capture_event.ts';
import { listenAlways } from './persistent_listeners.ts';

type InteractionEntry = PerformanceEntry & { interactionId: number; target: Node | null };

/** Milliseconds from which an interaction is captured; it is slow from 200 (https://web.dev/articles/inp). */
const SLOW_INTERACTION_MS = 40;

/** Milliseconds above which a task blocks (https://w3c.github.io/longtasks/). */
const LONG_TASK_MS = 50;

/** The longest names and details of marks and measures. */
const MARK_CHARACTERS = 200;
const DETAIL_CHARACTERS = 1_000;

function timed({ entryType, name, startTime, duration }: PerformanceEntry, more: object = {}) {
  capture({
    type: 'timing',
    ts: performance.timeOrigin + startTime,
    entry: entryType,
    name: clip(name, MARK_CHARACTERS),
    start: rounded(startTime),
    duration: rounded(duration),
    ...more,
  } as any);
}

function loaded(entry: ResourceEntry) {
  if (entry.name.startsWith('chrome-extension:')) return;
  capture(resourceOf(entry));
  if (isIcon(entry)) return;
  const totals = frame.loadTotals;
  totals.requests++;
  totals.transferSize += entry.transferSize;
}

/**
 * The document itself, in the page's own frame: that of another frame is among the resources of the page around it.
 * Its entry is complete, for a request's purposes, when the document is parsed.
 */
function startDocument() {
  if (window.top !== window) return;
  let isCaptured = false;
  const captureOnce = () => {
    if (isCaptured) return;
    isCaptured = true;
    const [entry] = performance.getEntriesByType('navigation') as unknown as ResourceEntry[];
    if (!entry) return;
    const [url = ''] = entry.name.split('#');
    capture({ ...resourceOf(entry), url, duration: rounded(Math.max(0, entry.responseEnd - entry.startTime)) });
  };
  if (document.readyState === 'loading') listenAlways('DOMContentLoaded', captureOnce);
  else captureOnce();
}

function marked(entry: PerformanceMark | PerformanceMeasure) {
  const detail = textOfDetail(entry);
  timed(entry, { ...(detail && { detail }) });
}

/** Return its detail as JSON; empty for none, and for one that is no JSON. */
function textOfDetail(entry: PerformanceMark | PerformanceMeasure): string {
  try {
    return entry.detail == null ? '' : clip(JSON.stringify(entry.detail) ?? '', DETAIL_CHARACTERS);
  } catch {
    return '';
  }
}

function blocked(entry: PerformanceEntry) {
  const totals = frame.loadTotals;
  totals.longTasks++;
  totals.blockingMs += entry.duration - LONG_TASK_MS;
  timed(entry);
}

function shifted(entry: ShiftEntry) {
  if (entry.hadRecentInput) return;
  const element = briefNameOf(entry.sources[0]?.node);
  timed(entry, { value: Math.round(entry.value * 10_000) / 10_000, ...(element && { element }) });
}

function interacted(entry: InteractionEntry) {
  if (!entry.interactionId) return; // a pointer that only moves, for example
  const element = briefNameOf(entry.target);
  timed(entry, { ...(element && { element }) });
}

const timelineEntries: Record<string, (entry: any) => void> = {
  resource: loaded,
  mark: marked,
  measure: marked,
  longtask: blocked,
  'layout-shift': shifted,
  event: interacted,
};

export function startTimeline() {
  startDocument();
  for (const [type, handle] of Object.entries(timelineEntries)) {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(handle));
    observer.observe({ type, buffered: true, ...(type === 'event' && { durationThreshold: SLOW_INTERACTION_MS }) });
  }
}
