// Gathers what axe finds in a page and its frames, as axe itself would, without a message between frames that a page sees.
//
// axe runs in the isolated world, where no policy of a page applies: first in the frames, the innermost first, then in the
// page's own frame, where it finds the parts of the others instead of asking them.

import { windowPlace } from '../../shared/window_place.ts';
import { Failure } from '../failure.ts';
import type { Gather, Page } from './analyze.ts';
import { AxeLoading } from './axe_loading.ts';
import { askDocument, inject, left, type Place, placeOf } from './page_calls.ts';

/** A frame below another, as that one sees it; `src`: the address in its element, `context`: what axe looks at there. */
type FrameBelow = { key: string; place: number[]; src: string; context: object };

type PlacedFrame = { documentId: string; place: number[]; url: string };

/** What axe gave in frames, as JSON, by their keys. */
type Parts = Record<string, string>;

const AXE = 'vendor/axe.min.js';

/** The longest wait for the places of all frames, which come together: one may hang. */
const PLACES_MS = 3000;

const loading = new AxeLoading();

export const accessibility: Gather = async (page, query) => {
  const top = placeOf(page.tab, page.document);
  await loaded(top);
  const parts = await partsBelow(halved(page), top, query, () => placedFrames(page));
  return askDocument(top, 'audit_page', { ...query, parts });
};

async function loaded(place: Place) {
  const document = place.documentIds[0] as string;
  if (loading.stateOf(document) !== 'LOADED' && (await hasAxe(place))) loading.found(document);
  await loading.ensure(document, () => injected(place));
}

async function hasAxe(target: Place): Promise<boolean> {
  const func = () => typeof (globalThis as any).axe?.frameMessenger === 'function';
  const [found] = await chrome.scripting.executeScript({ target, func, injectImmediately: true }).catch(() => []);
  if (!found) throw left();
  return found.result === true;
}

async function injected(place: Place) {
  try {
    await inject(place, [AXE]);
  } catch (fault) {
    throw new Failure(
      'axe_injection_failed',
      `axe-core could not be loaded into the page: ${(fault as Error).message}`,
    );
  }
}

/** The parts of the frames below a document, as far as they have any. */
async function partsBelow(
  page: Page,
  place: Place,
  query: object,
  placed: () => Promise<PlacedFrame[]>,
): Promise<Parts> {
  const { frames }: { frames: FrameBelow[] } = await askDocument(place, 'frames_below', query);
  if (!frames.length) return {};
  const known = await placed();
  const audited = frames.map(async (frame) => [frame.key, await inTime(page, partOf(page, frame, known, query))]);
  return Object.fromEntries((await Promise.all(audited)).filter(([, part]) => part));
}

async function partOf(page: Page, { context, ...frame }: FrameBelow, placed: PlacedFrame[], query: object) {
  const document = documentOf(frame, placed);
  if (!document) return '';
  const place = placeOf(page.tab, document);
  const own = { ...query, context };
  await loaded(place);
  const parts = await partsBelow(halved(page), place, own, async () => placed);
  const { part }: { part: string } = await askDocument(place, 'audit_frame', { ...own, parts });
  return part;
}

/** Half of the time that is left, for the frames below: a document is audited after them, and takes as long. */
function halved(page: Page): Page {
  const now = performance.now();
  return { ...page, until: now + (page.until - now) / 2 };
}

/** Wait for a frame as long as there is time for it; a frame that was removed has no part. */
async function inTime<T>(page: Page, work: Promise<T>): Promise<T | undefined> {
  const ms = Math.max(0, page.until - performance.now());
  const late = new Promise<'late'>((done) => setTimeout(done, ms, 'late'));
  const found = await Promise.race([work.catch(() => undefined), late]);
  if (found === 'late') page.warn('timeout');
  return found === 'late' ? undefined : found;
}

async function placedFrames(page: Page): Promise<PlacedFrame[]> {
  const target = { tabId: page.tab.id, allFrames: true };
  const asked = chrome.scripting.executeScript({ target, func: windowPlace, injectImmediately: true });
  const until = Math.min(halved(page).until, performance.now() + PLACES_MS);
  const answers = (await inTime({ ...page, until }, asked)) ?? [];
  return answers.flatMap(({ documentId, result }) => (result ? [{ documentId, ...result }] : []));
}

/** The document that a frame shows; none if it cannot be told from another, or is closed to extensions. */
function documentOf({ place, src }: Omit<FrameBelow, 'context'>, placed: PlacedFrame[]): string | undefined {
  const there = placed.filter((frame) => frame.place.join() === place.join());
  const [one, ...others] = there.length > 1 ? there.filter(({ url }) => url === src) : there;
  return others.length ? undefined : one?.documentId;
}
