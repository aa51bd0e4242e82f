// Takes a picture of a tab: what is in sight, the whole page, or one element.
//
// What is in sight of the tab in front needs no debugger; all else does, and with it AI Web Pilot, for Chrome shows a bar.

import { aborted } from '../../shared/aborted.ts';
import { Failure } from '../failure.ts';
import { arrived, typingOver } from '../tabs/arrival.ts';
import { type Attachment, attach } from '../tabs/debugger.ts';
import { askPage } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';
import { type Box, clipOf, isInSight, type Place, partOf, stripsOf } from './areas.ts';
import { cut, fromBase64, joined, type Png, reduced, toBase64 } from './encoding.ts';
import { isUnderBar, whileHeld } from './held_viewport.ts';
import { whileMasked } from './masks.ts';
import { PERIOD_MS, PictureTurns } from './picture_turns.ts';

/** How often a picture is tried: in the time of one, the page went, another tab came to the front, or a secret field. */
const ATTEMPTS = 3;

/** How long Chrome's bar about a debugger is waited for; 140 ms were measured. */
const BAR_MS = 400;

const BAR_LOOK_MS = 50;

/**
 * Of the smallest frames, and of few of them. Chrome draws a hidden tab for its first picture only, and not again before it
 * changes, so that the second one hangs; while there is a screencast it does (measured).
 */
const UNSEEN_CAST = { format: 'jpeg', quality: 1, maxWidth: 1, maxHeight: 1, everyNthFrame: 1_000 };

const TOO_MANY = /MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND/;

type Wish = { selector?: string; full_page: boolean; animations: boolean; overlays: boolean; marked?: string[] };

/** `place`: as it was when the picture was taken; `scale`: its pixels for each of the page's. */
type Shot = {
  png: Png;
  place: Place;
  scale: number;
  truncated: boolean;
  elements: object;
  /** False if the tab went to the back meanwhile: then another page may be in the picture. */
  isStillInFront: Promise<boolean> | true;
};

const turns = new PictureTurns({ now: Date.now, sleep: (ms) => new Promise((done) => setTimeout(done, ms)) });

/** Take a picture; `mayDebug`: whether the user lets the debugger be used. */
export async function takeScreenshot(
  tab: Tab,
  query: Record<string, unknown>,
  signal: AbortSignal,
  mayDebug: () => Promise<boolean>,
): Promise<object> {
  const wish = query as Wish;
  await typingOver(tab.id);
  const now = await arrived(tab, signal);
  const { shot, masked } = await turns.take(signal, () => attempted(now.tab, wish, signal, mayDebug));
  const { png, factor } = await reduced(shot.png);
  return {
    url: shot.place.url,
    title: shot.place.title,
    kind: wish.selector ? 'element' : wish.full_page ? 'full_page' : 'viewport',
    masked,
    scale: Math.round(shot.scale * factor * 1e4) / 1e4,
    tab: tab.id,
    picture: toBase64(png),
    elements: shot.elements,
    ...(factor < 1 && { reduced: true }),
    ...(shot.truncated && { truncated: true }),
    ...now.loading,
  };
}

async function attempted(tab: Tab, wish: Wish, signal: AbortSignal, mayDebug: () => Promise<boolean>) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    signal.throwIfAborted();
    const now =
      attempt === 1 ? tab : await openTab(tab.id, `The tab ${tab.id} was closed before its picture was taken.`);
    const hiding = prepare(now, wish, signal);
    try {
      const done = await whileMasked(now, { frozen: !wish.animations, hiding }, signal, () =>
        shoot(now, wish, signal, mayDebug),
      );
      if (done?.result && (await done.result.isStillInFront)) return { shot: done.result, masked: done.masked };
    } finally {
      if (await hiding.catch(() => false)) await askPage(now, 'show_overlays', {}, signal).catch(() => {}); // the tab was closed; the page shows them by itself
    }
  }
  throw new Failure('screenshot_failed', `The page changed each time while its picture was taken, ${ATTEMPTS} times.`);
}

/** Have the page ready for a picture: with its fonts, and without our overlays; give whether any was hidden. */
async function prepare(tab: Tab, { overlays }: Wish, signal: AbortSignal): Promise<boolean> {
  const { hidden } = (await askPage(tab, 'prepare_picture', { overlays }, signal)) as { hidden: number };
  return hidden > 0;
}

/** Take one picture. */
async function shoot(tab: Tab, wish: Wish, signal: AbortSignal, mayDebug: () => Promise<boolean>): Promise<Shot> {
  const asked = askPage(tab, 'picture_place', wish, signal) as Promise<Place>;
  const [place, isFirst] = await Promise.all([asked, isInFront(tab)]);
  const taken =
    isFirst && !place.hidden && isInSight(place) && !(await isLowered(tab, place, wish, mayDebug))
      ? await fromWindow(tab, place, wish, signal)
      : await byDebugger(tab, place, wish, signal, mayDebug);
  return { place, isStillInFront: true, ...taken };
}

/** Whether only the debugger can draw the page as high as it is: its own bar makes it lower for some seconds after it. */
async function isLowered(tab: Tab, place: Place, wish: Wish, mayDebug: () => Promise<boolean>): Promise<boolean> {
  return wish.full_page && (await isUnderBar(tab, place)) && (await mayDebug());
}

async function elementsIn(tab: Tab, { area }: Place, { marked = [] }: Wish, signal: AbortSignal): Promise<object> {
  return (await askPage(tab, 'picture_elements', { area, marked }, signal)) as object;
}

async function isInFront({ id, windowId }: Tab): Promise<boolean> {
  const [{ active }, { state }] = await Promise.all([openTab(id), chrome.windows.get(windowId)]);
  return active && state !== 'minimized';
}

/** The page lists its elements while Chrome takes the picture. */
async function fromWindow(tab: Tab, place: Place, wish: Wish, signal: AbortSignal) {
  await turns.pace();
  const [url, elements] = await Promise.all([captured(tab), elementsIn(tab, place, wish, signal)]);
  const isStillInFront = isInFront(tab).catch(() => false); // the tab was closed
  const whole = fromBase64(url.slice(url.indexOf(',') + 1));
  const scale = whole.width / place.sight.width;
  const part = partOf(place, scale, whole);
  const png = part.width === whole.width && part.height === whole.height ? whole : await cut(whole, part);
  return { png, scale, truncated: false, elements, isStillInFront };
}

/** A busy Chrome counts a capture later than it was asked for, so that the next one may be refused: it waits once more. */
async function captured({ windowId }: Tab, mayWait: boolean = true): Promise<string> {
  try {
    return await chrome.tabs.captureVisibleTab(windowId, { format: 'png' });
  } catch (fault) {
    if (mayWait && TOO_MANY.test((fault as Error).message)) {
      await new Promise((done) => setTimeout(done, PERIOD_MS));
      return captured({ windowId } as Tab, false);
    }
    throw new Failure('screenshot_failed', `Chrome took no picture (${(fault as Error).message}).`);
  }
}

async function byDebugger(tab: Tab, place: Place, wish: Wish, signal: AbortSignal, mayDebug: () => Promise<boolean>) {
  if (!(await mayDebug())) throw needsPilot(wish);
  const attachment = await attach(tab);
  try {
    if (place.hidden) await attachment.ask('Page.startScreencast', UNSEEN_CAST);
    const { result } = await attachment.ask('Runtime.evaluate', {
      expression: 'devicePixelRatio',
      returnByValue: true,
    });
    const zoom = await chrome.tabs.getZoom(tab.id);
    return await whileHeld(attachment, tab, place, async (isHeld) => {
      const now = wish.full_page ? await arranged(attachment, tab, place, wish, signal, isHeld) : place;
      const { truncated, ...clip } = clipOf(now, zoom, result.value / zoom);
      const strips = [];
      for (const strip of stripsOf(clip, now.viewport.height * zoom))
        strips.push(await stripBy(attachment, strip, !isInSight(now), signal));
      const png = await joined(strips);
      const elements = await elementsIn(tab, now, wish, signal);
      return { png, scale: (png.width / clip.width) * zoom, truncated, elements, place: now };
    });
  } finally {
    if (place.hidden) await attachment.ask('Page.stopScreencast').catch(() => {}); // the tab was closed
    await attachment.release();
  }
}

/**
 * Measure the page as the debugger makes it. Its bar makes a viewport that is not held lower, and with it a page of its
 * height; and to draw what is out of sight Chrome takes the scroll bar away, by which the page grows wider under its first
 * picture.
 */
async function arranged(
  attachment: Attachment,
  tab: Tab,
  before: Place,
  wish: Wish,
  signal: AbortSignal,
  isHeld: boolean,
): Promise<Place> {
  const measured = async () => (await askPage(tab, 'picture_place', wish, signal)) as Place;
  let now = isHeld ? await measured() : before;
  if (isHeld && isInSight(now)) return now; // as it is drawn from the window, with its scroll bar
  await stripBy(attachment, { x: 0, y: 0, width: 1, height: 1 }, true, signal);
  if (isHeld) return measured();
  for (let waited = 0; waited < BAR_MS && now.viewport.height === before.viewport.height; waited += BAR_LOOK_MS) {
    await new Promise((done) => setTimeout(done, BAR_LOOK_MS));
    now = await measured();
  }
  return now;
}

/** `beyond`: what is out of sight too. */
async function stripBy(attachment: Attachment, strip: Box, beyond: boolean, signal: AbortSignal): Promise<Png> {
  const clip = { ...strip, scale: 1 };
  const asked = attachment.ask('Page.captureScreenshot', { format: 'png', captureBeyondViewport: beyond, clip });
  const { data } = await Promise.race([asked, aborted(signal)]);
  return fromBase64(data);
}

function needsPilot({ full_page, selector }: Wish): Failure {
  const what = full_page
    ? 'A picture of the whole page'
    : selector
      ? 'An element that is not wholly in sight'
      : 'A tab in the background';
  return new Failure('ai_web_pilot_disabled', `${what} is taken by Chrome's debugger, which needs AI Web Pilot.`, {
    recovery: 'Ask the user to switch it on, or take what is in sight of the tab in front: observe(what:"screenshot").',
  });
}
