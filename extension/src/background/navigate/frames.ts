// Finds the frame that a selector names, from the page's own frame down.
//
// Chrome gives an extension the number of a frame only with the permission `webNavigation`, which we do not have. But a
// window can find its own index among its parent's windows, of any origin. The outer page's script and the frame's own
// script compute the same place, and the page cannot notice it.

import { windowPlace } from '../../shared/window_place.ts';
import { Failure } from '../failure.ts';
import { frameClosed } from '../tabs/access.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

/**
 * `place`: the frame's index among its parent's windows, from the page's own frame down; -1 for one in a shadow root,
 * which no window lists. `src`: the address in its element; `rest`: the part of the selector inside the frame.
 */
type FramePlace = { place: number[]; src: string; rest: string };

type PlacedFrame = { frameId: number; place: number[]; url: string };

/** Attempts, while frames come and go. */
const ATTEMPTS = 3;

/** The longest wait for the places of all frames: one may hang. */
const PLACES_MS = 3000;

/** Add to a tab the frame that a selector names; undefined for the page's own frame. */
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
  const find = async () => (await askPage(tab, 'frame_place', { selector }, signal)) as FramePlace;
  let was = await find();
  for (let at = 0; at < ATTEMPTS; at++) {
    const frames = await placedFrames(tab);
    const now = await find();
    if (same(was.place, now.place)) return { number: numberOf(frames, now), inner: now.rest };
    was = now;
  }
  throw new Failure(
    'page_navigated',
    'The frames of the page changed several times during the search for one of them.',
    {
      details: { parameter: 'frame' },
      recovery: 'Wait until the page no longer changes, then try again.',
    },
  );
}

async function placedFrames({ id: tabId }: Tab): Promise<PlacedFrame[]> {
  const target = { tabId, allFrames: true };
  const asked = chrome.scripting.executeScript({ target, func: windowPlace, injectImmediately: true });
  const late = new Promise((done) => setTimeout(done, PLACES_MS));
  const answers = (await Promise.race([asked, late]).catch(() => [])) as any[] | void;
  if (!answers) throw frameClosed(`a frame of the page did not answer for ${PLACES_MS} ms`);
  return answers.flatMap(({ frameId, result }) => (result ? [{ frameId, ...result }] : []));
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
