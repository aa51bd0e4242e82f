// Keeps a tab's viewport as high as it is without Chrome's bar about the debugger, while a picture of it is taken.
//
// The bar comes and goes within seconds, and a page that fills its viewport looks otherwise under it.

import type { Attachment } from '../tabs/debugger.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { Place } from './areas.ts';

/** The bar takes 40 to 56 px. */
const BAR_PX = 100;

/** How long scripts that follow the viewport's height take: a few frames. */
const FOLLOWS_MS = 150;

/** What a window has beside its page. */
const BORDERS_PX = 20;

/** By window: its size, and the height of the viewport without the bar, in the debugger's pixels. */
const seen: Map<number, { size: string; height: number }> = new Map();

chrome.windows.onRemoved.addListener((id) => seen.delete(id));

/**
 * Hold the viewport while work is done; `isHeld`: whether it is. It is not where it is not as wide as its window: the
 * developer tools have emulated another, or are beside it.
 */
export async function whileHeld<T>(
  attachment: Attachment,
  tab: Tab,
  place: Place,
  work: (isHeld: boolean) => Promise<T>,
): Promise<T> {
  const heights = await heightsOf(tab, place);
  if (!heights) return work(false);
  const { now, held } = heights;
  await attachment.ask('Emulation.setDeviceMetricsOverride', {
    width: 0, // as it is
    height: held,
    deviceScaleFactor: 0,
    mobile: false,
  });
  try {
    if (held !== now) await new Promise((done) => setTimeout(done, FOLLOWS_MS));
    return await work(true);
  } finally {
    await attachment.ask('Emulation.clearDeviceMetricsOverride').catch(() => {}); // the tab was closed
  }
}

/** Whether the bar is there, and makes a page that fills the viewport lower than it is. */
export async function isUnderBar(tab: Tab, place: Place): Promise<boolean> {
  const heights = await heightsOf(tab, place);
  return heights !== undefined && heights.now < heights.held;
}

/** The height of the viewport now, and without the bar, in the debugger's pixels. */
async function heightsOf({ id, windowId }: Tab, { viewport }: Place) {
  const [{ width = 0, height = 0 }, zoom] = await Promise.all([chrome.windows.get(windowId), chrome.tabs.getZoom(id)]);
  const now = Math.round(viewport.height * zoom);
  if (Math.abs(width - viewport.width * zoom) > BORDERS_PX || now > height) return undefined;
  return { now, held: heightOf(windowId, `${width} ${height}`, now) };
}

/** The bar may be there already: the greatest height of a window of this size counts. */
function heightOf(windowId: number, size: string, now: number): number {
  const last = seen.get(windowId);
  const isSame = last?.size === size && Math.abs(last.height - now) <= BAR_PX;
  const height = isSame ? Math.max(last.height, now) : now;
  seen.set(windowId, { size, height });
  return height;
}
