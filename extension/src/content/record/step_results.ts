// Watches what comes into sight after a step, and captures what a test may expect to see again; it must change nothing.
//
// It reports when the page has been quiet for a moment, again if more follows, and at the latest when the next step begins.

import type { ResultEvent, Target } from '../../shared/events.ts';
import { isDocument, nodes } from '../dom/nodes.ts';
import { oneLine } from '../dom/text.ts';
import { frame } from '../frame.ts';
import { isLasting, isOnlyText, lastingText, targetOf, textsIn } from './locators.ts';

/** Milliseconds: the quiet after which a result is read, and how long a step is watched at most. */
const QUIET = 250;
const WATCHED = 5_000;

/** So long is a page waited for that does not come to rest; then its result is read as it stands. */
const SETTLED = 1_500;

/** More places than these are not compared: the page draws all the time. */
const PLACES = 200;

/** The most texts that are read of one place, and that a result has of each kind. */
const TEXTS = 20;
const SHOWN = 3;
const GONE = 2;

/** The most texts that went and are looked for. */
const MISSED = 50;

/** So many texts are looked at in any case; then a look may take so many milliseconds in all: the page waits meanwhile. */
const LOOKED_AT = 5;
const LOOK_MS = 20;

/** The most texts of a page that are read. */
const READ = 5_000;

/** What holds what was entered, or is no text for people. */
const WRITTEN = 'script, style, template, noscript, input, select, textarea, [contenteditable], canvas';

const SEEN: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ['hidden', 'open', 'class', 'style', 'aria-hidden'],
};

/** `places`: with new content; `restyled`: with other attributes, which may be the whole page at the sight of a dialog. */
type Watch = { of: number; places: Set<Element>; restyled: Set<Element>; gone: Set<string>; begun: number };

let watch: Watch | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Who waits for the result that is still to be read; undefined while there is none. */
let unread: (() => void)[] | undefined;

/** Settled when what names the page is captured. */
let named: Promise<void> = Promise.resolve();
const observer = new MutationObserver(noted);

/** Watch the step that began at `of` (ms since the epoch), in these shadow roots too. */
export function watchResults(of: number, element: Element | null) {
  finish();
  watch = { of, places: new Set(), restyled: new Set(), gone: new Set(), begun: performance.now() };
  observer.observe(document, SEEN);
  const roots = new Set<Node>([element?.ownerDocument ?? document]);
  for (let root = element && nodes.root(element); root && !isDocument(root); ) {
    roots.add(root);
    root = nodes.root((root as ShadowRoot).host);
  }
  for (const root of roots) observer.observe(root, SEEN);
  wait();
}

/** Watch the step for as long again: the user is still typing. */
export function prolongWatch() {
  if (watch) watch.begun = performance.now();
}

/** Report what is left to report, and watch no more. */
function finish() {
  if (!watch) return;
  noted(observer.takeRecords());
  read();
  observer.disconnect();
  watch = undefined;
}

function wait() {
  unread ??= [];
  clearTimeout(timer);
  const spent = watch ? performance.now() - watch.begun : WATCHED;
  timer = setTimeout(spent + QUIET >= WATCHED ? finish : read, QUIET);
}

function noted(records: MutationRecord[]) {
  if (!watch || !records.length) return;
  const { places, restyled, gone, begun } = watch;
  if (places.size + restyled.size >= PLACES || performance.now() - begun > WATCHED) return finish();
  for (const { type, target, addedNodes, removedNodes, oldValue } of records) {
    const place = nodes.type(target) === 1 ? target : nodes.parent(target); // of a text, and of a shadow root nothing
    if (type === 'attributes') add(restyled, place);
    if (type === 'characterData') add(places, place);
    for (const node of addedNodes) {
      if (places.size >= PLACES) break;
      add(places, nodes.type(node) === 3 ? place : node);
    }
    if (!place || nodes.closest(place as Element, WRITTEN)) continue;
    for (const node of removedNodes) {
      if (gone.size >= MISSED) break;
      for (const line of linesOf(node)) gone.add(line);
    }
    if (oldValue !== null && type === 'characterData') gone.add(oneLine(oldValue));
  }
  wait();
}

function add(places: Set<Element>, node: Node | null) {
  if (node && nodes.type(node) === 1 && !frame.ownNodes.has(node)) places.add(node as Element);
}

function linesOf(node: Node): string[] {
  if (frame.ownNodes.has(node)) return [];
  const texts = nodes.type(node) === 3 ? [node as Text] : nodes.type(node) === 1 ? textsIn(node, TEXTS) : [];
  return texts.map(({ data }) => oneLine(data)).filter(isLasting);
}

/** Wait until what names the page, and what came of the last step, is captured. */
async function settled(): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const lateness = new Promise<void>((done) => {
    late = setTimeout(done, SETTLED);
  });
  const isRead = unread && new Promise<void>((done) => unread?.push(done));
  await Promise.race([Promise.all([named, isRead]), lateness]);
  clearTimeout(late);
  if (unread) read();
}

/** Capture what is there now of what has changed. */
function read() {
  if (!watch) return;
  capture(watch);
  for (const done of unread ?? []) done();
  unread = undefined;
}

function capture(watch: Watch) {
  const shown = new Map<string, Target & { text: string }>();
  const tried = new Set<string>();
  const until = performance.now() + LOOK_MS;
  let looks = 0;
  const isOver = () => shown.size >= SHOWN || (looks >= LOOKED_AT && performance.now() > until);
  for (const place of [...watch.places, ...watch.restyled]) {
    if (isOver()) break;
    if (!nodes.isConnected(place) || nodes.closest(place, WRITTEN)) continue;
    for (const text of textsIn(place, TEXTS)) {
      const element = nodes.parent(text) as Element;
      const line = lastingText(element);
      if (!line || tried.has(line) || isOver()) continue;
      looks++;
      if (!isSeen(element)) continue;
      tried.add(line);
      const target = targetOf(element);
      if (target.locator?.by !== 'css' || !target.locator.css.includes('>')) shown.set(line, { text: line, ...target });
    }
  }
  const gone = goneOf([...watch.gone].filter(isLasting));
  if (!shown.size && !gone.length) return;
  const result = { ...(shown.size && { shown: [...shown.values()] }), ...(gone.length && { gone }) };
  frame.relay?.capture({ type: 'result', of: watch.of, ...result });
}

/** Which texts that were taken out of the page are nowhere in it; of a page with more texts than are read, none is known. */
function goneOf(lines: string[]): string[] {
  if (!lines.length) return [];
  const texts = textsIn(document.body ?? document, READ);
  if (texts.length >= READ) return [];
  const there = new Set(texts.map(({ data }) => oneLine(data)));
  return lines.filter((line) => !there.has(line)).slice(0, GONE);
}

function isSeen(element: Element): boolean {
  const { width, height } = nodes.box(element);
  return width > 0 && height > 0 && nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true });
}

/** Report the last result of a page when it is left, or is asked for it. */
export function startResults() {
  frame.settled = async () => {
    await settled();
    return frame.relay?.flush() ?? [];
  };
  addEventListener('pagehide', ({ isTrusted }) => isTrusted && finish(), { capture: true });
}

/** Capture what names a page, once it is loaded: of a page that a step led to, that is its result. */
export function startPageResults() {
  if (window.top !== window) return;
  const report = () => {
    const title = oneLine(document.title);
    const heading = lastingHeading();
    const names = { ...(isLasting(title) && { title }), ...(heading && { heading }) };
    if (Object.keys(names).length) frame.relay?.capture({ type: 'result', of: 0, ...names } as Omit<ResultEvent, 'ts'>);
  };
  if (document.readyState === 'complete') return report();
  const { promise, resolve } = Promise.withResolvers<void>();
  named = promise.then(report);
  addEventListener('load', ({ isTrusted }) => isTrusted && setTimeout(resolve), { once: true, capture: true });
}

function lastingHeading(): string | undefined {
  for (const heading of [...document.querySelectorAll('h1')].slice(0, SHOWN)) {
    const line = isSeen(heading) ? lastingText(heading) : undefined;
    if (line && isOnlyText(document, line)) return line;
  }
  return undefined;
}
