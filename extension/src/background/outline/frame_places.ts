// Finds the frames of a page by their places, without those that do not answer: each frame reports by itself.

export type FramePlaced = { frame: number; place: number[]; url: string };

const SCRIPT = 'content/place.js';

/** The searches that go on, by tab. */
const searches: Map<number, Set<(found: FramePlaced) => void>> = new Map();

/** Take in the report of a frame. */
export function framePlaced({ place, url }: { place: unknown; url: unknown }, at: { tab: number; frame: number }) {
  if (!Array.isArray(place) || typeof url !== 'string') return;
  for (const take of searches.get(at.tab) ?? []) take({ frame: at.frame, place, url });
}

/** Wait until all that are wanted have reported, or for so long; give the number of each wanted one that did. */
export async function findFrames<T extends { place: number[]; src: string }>(
  tab: number,
  wanted: T[],
  ms: number,
): Promise<Map<T, number>> {
  const found = new Map<T, number>();
  const taken = new Set<number>();
  const all = new Promise<void>((done) => {
    const take = ({ frame, place, url }: FramePlaced) => {
      const there = wanted.filter((one) => !found.has(one) && one.place.join() === place.join());
      const one = there.find(({ src }) => src === url) ?? (there.length === 1 ? there[0] : undefined);
      if (!one || taken.has(frame)) return;
      taken.add(frame);
      found.set(one, frame);
      if (found.size === wanted.length) done();
    };
    searches.set(tab, (searches.get(tab) ?? new Set()).add(take));
    setTimeout(() => {
      searches.get(tab)?.delete(take);
      if (!searches.get(tab)?.size) searches.delete(tab);
      done();
    }, ms);
  });
  const target = { tabId: tab, allFrames: true };
  chrome.scripting.executeScript({ target, files: [SCRIPT], injectImmediately: true }).catch(() => {}); // a frame that hangs is not awaited
  await all;
  return found;
}
