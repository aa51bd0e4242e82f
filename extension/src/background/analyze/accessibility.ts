// Gathers what axe finds in a page and its frames, as axe itself would, without a message between frames that a page sees.
//
// axe runs in the isolated world, where no policy of a page applies: each frame its part, with the context that the frame
// above gives it, and the page's own frame puts the parts together (axe.runPartial and axe.finishRun).

import { windowPlace } from '../../shared/window_place.ts';
import { Failure } from '../failure.ts';
import type { Gather, Page } from './analyze.ts';
import { AxeLoading } from './axe_loading.ts';
import { askDocument, documentIn, inject, left, type Place, placeOf } from './page_calls.ts';

/** A frame below another, as that one sees it; `src`: the address in its element, `context`: what axe looks at there. */
type FrameBelow = { place: number[]; src: string; context: object };

type PlacedFrame = { documentId: string; place: number[]; url: string };

/** `part`: axe's part as JSON. */
type FramePart = { part: string; frames: FrameBelow[] };

const AXE = 'vendor/axe.min.js';

/** The time that is left for putting the parts together when the frames must have answered. */
const FINISH_MS = 1000;

const loading = new AxeLoading();

export const accessibility: Gather = async (page, query) => {
  const top = placeOf(page.tab, await documentIn(page.tab, 0));
  await loaded(top);
  const { evidence, frames, run } = await askDocument(top, 'begin_audit', query);
  if (evidence) return evidence;
  const parts = await partsOf(page, frames, await placedFrames(page), query);
  return askDocument(top, 'finish_audit', { run, parts });
};

async function loaded(place: Place) {
  const document = place.documentIds[0] as string;
  if (loading.stateOf(document) !== 'LOADED' && (await hasAxe(place))) loading.found(document);
  await loading.ensure(document, () => injected(place));
}

async function hasAxe(target: Place): Promise<boolean> {
  const func = () => typeof (globalThis as any).axe?.runPartial === 'function';
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

/** The parts of frames and of those below them, in the order that axe has them: empty for one that has none. */
async function partsOf(page: Page, frames: FrameBelow[], placed: PlacedFrame[], query: object): Promise<string[]> {
  const parts = await Promise.all(frames.map((frame) => partOf(page, frame, placed, query)));
  return parts.flat();
}

async function partOf(page: Page, frame: FrameBelow, placed: PlacedFrame[], query: object): Promise<string[]> {
  const document = documentOf(frame, placed);
  if (!document) return [''];
  const found = await inTime(page, audited(placeOf(page.tab, document), frame, query));
  if (!found?.part) return [''];
  return [found.part, ...(await partsOf(page, found.frames, placed, query))];
}

async function audited(place: Place, { context }: FrameBelow, query: object): Promise<FramePart> {
  await loaded(place);
  return askDocument(place, 'audit_frame', { ...query, context });
}

/** Wait for a frame as long as there is time for it; a frame that was removed has no part. */
async function inTime<T>(page: Page, work: Promise<T>): Promise<T | undefined> {
  const ms = Math.max(0, page.until - FINISH_MS - performance.now());
  const late = new Promise<'late'>((done) => setTimeout(done, ms, 'late'));
  const found = await Promise.race([work.catch(() => undefined), late]);
  if (found === 'late') page.warn('timeout');
  return found === 'late' ? undefined : found;
}

async function placedFrames(page: Page): Promise<PlacedFrame[]> {
  const target = { tabId: page.tab.id, allFrames: true };
  const asked = chrome.scripting.executeScript({ target, func: windowPlace, injectImmediately: true });
  const answers = (await inTime(page, asked)) ?? [];
  return answers.flatMap(({ documentId, result }) => (result ? [{ documentId, ...result }] : []));
}

/** The document that a frame shows; none if it cannot be told from another, or is closed to extensions. */
function documentOf({ place, src }: FrameBelow, placed: PlacedFrame[]): string | undefined {
  const there = placed.filter((frame) => frame.place.join() === place.join());
  const [one, ...others] = there.length > 1 ? there.filter(({ url }) => url === src) : there;
  return others.length ? undefined : one?.documentId;
}
