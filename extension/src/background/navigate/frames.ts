// Finds the frame that a selector names, from the page's own down to it; it must say nothing that a page could hear.
//
// Chrome tells an extension of a frame's number only with `webNavigation`, for which we do not ask. But a window may look
// for itself among its parent's, whatever their origins: both sides give the same place, and the page learns nothing.

import { windowPlace } from '../../shared/window_place.ts';
import { Failure } from '../failure.ts';
import { frameClosed } from '../tabs/access.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

/**
 * Where a frame is: its place among its parent's windows, from the page's own down; -1 for one in a shadow root, which
 * no window lists. `src`: what it was to show; `rest`: the selector's part that goes on inside of it.
 */
export type FramePlace = { place: number[]; src: string; rest: string };

export type PlacedFrame = { frameId: number; place: number[]; url: string };

/** How often is looked, while frames come and go. */
const LOOKS = 3;

/** The longest wait for all frames to tell their places: one may hang. */
const PLACES_MS = 3000;

/**
 * Give the tab with the frame that is meant in it.
 * @param frame a selector, or undefined for the page's own
 * @throws `frame_not_scriptable`, and what a selector is refused with; the details name `frame`
 */
export async function placeIn(tab: Tab, frame: unknown, signal: AbortSignal): Promise<Tab> {
  if (frame === undefined) return tab;
  let at = tab;
  for (let rest = frame; rest !== ''; ) {
    const { number, inner } = await frameIn(at, rest, signal);
    at = { ...tab, frame: number };
    rest = inner;
  }
  return at;
}

async function frameIn(tab: Tab, selector: unknown, signal: AbortSignal) {
  const look = async () => (await askPage(tab, 'frame_place', { selector }, signal)) as FramePlace;
  let was = await look();
  for (let at = 0; at < LOOKS; at++) {
    const frames = await placedFrames(tab);
    const now = await look();
    if (same(was.place, now.place)) return { number: numberOf(frames, now), inner: now.rest };
    was = now;
  }
  throw new Failure('page_navigated', 'The frames of the page changed again and again while one was looked for.', {
    details: { parameter: 'frame' },
    recovery: 'Wait until the page has settled, then try again.',
  });
}

async function placedFrames({ id: tabId }: Tab): Promise<PlacedFrame[]> {
  const target = { tabId, allFrames: true };
  const asked = chrome.scripting.executeScript({ target, func: windowPlace, injectImmediately: true });
  const late = new Promise((done) => setTimeout(done, PLACES_MS));
  const told = (await Promise.race([asked, late]).catch(() => [])) as any[] | void;
  if (!told) throw frameClosed(`a frame of the page has not answered for ${PLACES_MS} ms`);
  return told.flatMap(({ frameId, result }) => (result ? [{ frameId, ...result }] : []));
}

function numberOf(frames: PlacedFrame[], { place, src }: FramePlace): number {
  const there = frames.filter((frame) => same(frame.place, place));
  const [one, ...others] = there.length > 1 ? there.filter(({ url }) => url === src) : there;
  if (!one) throw frameClosed('it has not loaded, or shows an error, a page of the browser or of another extension');
  if (others.length) throw frameClosed('several frames in shadow roots show the same page, and cannot be told apart');
  return one.frameId;
}

function same(one: number[], other: number[]) {
  return one.join() === other.join();
}
