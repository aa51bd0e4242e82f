// Gathers the performance evidence of a page: its paints, shifts, tasks, resources and images, as the browser measured them.
//
// What the browser hides stays unknown: the sizes of another origin's resources are absent, never 0.

import { isOfAxe } from '../dom/axe_run.ts';
import { getterOf, matchesIn, nodes } from '../dom/nodes.ts';
import { isIcon, type ResourceEntry, type ShiftEntry } from '../dom/resource_timing.ts';
import { search, type Tree, treesOf } from '../dom/search.ts';
import { rounded } from '../dom/text.ts';
import { frame } from '../frame.ts';
import { bareAddress, loadOf } from './addresses.ts';
import { fontsWithoutDisplay } from './fonts.ts';
import { imagesOf } from './images.ts';
import { largestPaint, type PaintEntry } from './largest_paint.ts';
import { layoutShift } from './layout_shifts.ts';
import { collectReports } from './reports.ts';
import { type LongFrame, tasksOf } from './tasks.ts';

/** The longest wait for the load to end, and after it for the largest paint (SPEC, settled contradiction 5). */
const LOAD_MS = 8_000;
const PAINT_MS = 500;

/** The longest wait for an idle moment, by which a paint that was under way is among the kept entries. */
const IDLE_MS = 200;

/** The longest wait for the report of an interaction, which comes in an idle moment. */
const REPORTED_MS = 3_000;

/** From so many interactions on the slowest is not the one that counts (https://web.dev/articles/inp). */
const OUTLIERS = 50;

const RESOURCES = 500;

/** Resource Timing keeps so many entries, unless the page asks for more (W3C Resource Timing 2, 4.4). */
const BUFFERED_RESOURCES = 250;

const UNMEASURED = {
  hidden: 'paints: hidden while it loaded; show the tab and refresh',
  interaction: 'interactions: none yet; interact with trusted:true',
  resources: `resources: the first ${BUFFERED_RESOURCES} alone`,
};

const modeOf = getterOf(() => Document, 'compatMode');

type InteractionEntry = PerformanceEntry & { interactionId?: number };

type Entries = {
  paints: PaintEntry[];
  shifts: ShiftEntry[];
  tasks: PerformanceEntry[];
  frames: LongFrame[];
};

export async function performanceEvidence(): Promise<object> {
  const reports = collectReports();
  await loaded();
  await slowestReported();
  const [paints, shifts, tasks, frames] = [
    'largest-contentful-paint',
    'layout-shift',
    'longtask',
    'long-animation-frame',
  ].map(buffered);
  const entries = { paints, shifts, tasks, frames } as Entries;
  const trees = treesOf(document);
  const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & ResourceEntry)[];
  const resources = resourcesOf();
  const wasHidden = wasHiddenAtLoad();
  const scale = devicePixelRatio;
  const slowest = frame.slowest;
  return {
    url: bareAddress(location.href) || `${location.protocol}//`,
    is_hidden: wasHidden,
    scale,
    viewport: { width: innerWidth, height: innerHeight },
    ...(!wasHidden && { paint: largestPaint(entries.paints, navigation, resources) }),
    ...layoutShift(entries.shifts),
    ...(slowest && { interaction: slowest }),
    ...(navigation && { navigation: navigationOf(navigation, wasHidden) }),
    resources: resources.map(resourceOf),
    images: imagesOf(trees),
    tasks: tasksOf(
      entries.tasks.filter((task) => !isOfAxe(task)),
      entries.frames,
    ),
    fonts: fontsWithoutDisplay(),
    preloads: preloadsOf(trees),
    load: loadOf(navigation),
    loaded_ms: rounded(performance.now() - (navigation?.loadEventEnd ?? 0)),
    dom: domOf(trees),
    reports: reports(),
    unknown: [
      ...(wasHidden ? [UNMEASURED.hidden] : []),
      ...(slowest ? [] : [UNMEASURED.interaction]),
      ...(resources.length >= BUFFERED_RESOURCES ? [UNMEASURED.resources] : []),
    ],
  };
}

/** Wait until the load is over, and its largest paint with it. */
async function loaded() {
  if (document.readyState !== 'complete')
    await Promise.race([new Promise((done) => addEventListener('load', done, { once: true })), pause(LOAD_MS)]);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const left = PAINT_MS - (performance.now() - (navigation?.loadEventEnd || performance.now()));
  if (left > 0) await pause(left);
}

function pause(ms: number) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Wait until web-vitals has reported the slowest interaction of those that are kept, which it does in an idle moment. */
async function slowestReported() {
  const until = performance.now() + REPORTED_MS;
  do await idle();
  while ((frame.slowest?.ms ?? 0) < slowestInteraction() && performance.now() < until);
}

function slowestInteraction() {
  const interactions = (buffered('event') as InteractionEntry[]).filter(({ interactionId }) => interactionId);
  return interactions.length < OUTLIERS ? Math.max(0, ...interactions.map(({ duration }) => duration)) : 0;
}

function idle() {
  return new Promise((done) => requestIdleCallback(done, { timeout: IDLE_MS }));
}

/** The entries of a type that the browser has kept: an observer that asks for them has them at once. */
function buffered(type: string): PerformanceEntry[] {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type, buffered: true });
  const entries = observer.takeRecords();
  observer.disconnect();
  return entries;
}

/** Whether the page was ever hidden before its load was over: then its paints are no measure. */
function wasHiddenAtLoad() {
  const states = performance.getEntriesByType('visibility-state');
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const end = navigation?.loadEventEnd || Number.POSITIVE_INFINITY;
  return (
    states.some(({ name, startTime }) => name === 'hidden' && startTime <= end) || (document.hidden && !states.length)
  );
}

function navigationOf(entry: PerformanceNavigationTiming, wasHidden: boolean) {
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return {
    ttfb_ms: rounded(entry.responseStart),
    ...(paint && !wasHidden && { paint_ms: rounded(paint.startTime) }),
    response_end_ms: rounded(entry.responseEnd),
    ...(entry.loadEventEnd && { load_ms: rounded(entry.loadEventEnd) }),
    redirects: entry.redirectCount,
    redirect_ms: rounded(entry.redirectEnd - entry.redirectStart),
    transfer: entry.transferSize,
    encoded: entry.encodedBodySize,
    decoded: entry.decodedBodySize,
    protocol: entry.nextHopProtocol,
  };
}

function resourcesOf(): ResourceEntry[] {
  const entries = performance.getEntriesByType('resource') as ResourceEntry[];
  return entries.filter((entry) => /^https?:/.test(entry.name) && !isIcon(entry)).slice(0, RESOURCES);
}

function resourceOf(entry: ResourceEntry & { contentType?: string }) {
  const isOpen = entry.requestStart > 0 || entry.decodedBodySize > 0; // else another origin without Timing-Allow-Origin
  const kind = kindOf(entry);
  return {
    address: bareAddress(entry.name),
    kind,
    start_ms: rounded(entry.startTime),
    took_ms: rounded(entry.duration),
    ...(isOpen && { transfer: entry.transferSize, encoded: entry.encodedBodySize, decoded: entry.decodedBodySize }),
    status: entry.responseStatus,
    protocol: entry.nextHopProtocol,
    is_cached: entry.deliveryType === 'cache',
    is_blocking: entry.renderBlockingStatus === 'blocking',
    is_text: isText(entry, kind),
  };
}

const ENDINGS: [RegExp, string][] = [
  [/\.m?js$/i, 'script'],
  [/\.css$/i, 'style'],
  [/\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i, 'image'],
  [/\.(?:woff2?|ttf|otf|eot)$/i, 'font'],
];

const INITIATORS: Record<string, string> = { script: 'script', img: 'image', image: 'image', iframe: 'document' };

function kindOf({ name, initiatorType }: ResourceEntry): string {
  const path = new URL(name).pathname;
  return ENDINGS.find(([ending]) => ending.test(path))?.[1] ?? INITIATORS[initiatorType] ?? 'other';
}

function isText({ name, contentType = '' }: { name: string; contentType?: string }, kind: string): boolean {
  if (contentType) return /^text\/|javascript|json|xml|svg/i.test(contentType);
  return ['script', 'style'].includes(kind) || /\.(?:svg|json|html?|xml|txt)$/i.test(new URL(name).pathname);
}

function preloadsOf(trees: Tree[]): string[] {
  const links = [...search(trees, 'link[rel~="preload" i][href]').values()].flatMap((found) => [...found]);
  return links.map((link) => bareAddress((link as HTMLLinkElement).href)).filter(Boolean);
}

function domOf(trees: Tree[]) {
  const page = trees[0] as Tree;
  const depths: Map<Node, number> = new Map();
  const children: Map<Node, number> = new Map();
  for (const element of page.elements) {
    const parent = nodes.parent(element);
    if (!parent) continue;
    depths.set(element, (depths.get(parent) ?? 0) + 1);
    children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const isHtml = nodes.contentType(document) === 'text/html';
  return {
    elements: trees.reduce((count, { elements }) => count + elements.length, 0),
    depth: Math.max(0, ...spread(depths)),
    children: Math.max(0, ...spread(children)),
    is_quirks: isHtml && modeOf(document) === 'BackCompat',
    has_viewport: !isHtml || matchesIn(document, 'meta[name="viewport" i]').length > 0,
    has_charset: !isHtml || matchesIn(document, 'meta[charset], meta[http-equiv="Content-Type" i]').length > 0,
  };
}

/** Values without repetition: a call takes only so many arguments. */
function spread(counts: Map<Node, number>) {
  return new Set(counts.values());
}
