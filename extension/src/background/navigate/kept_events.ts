// Keeps a listener with Chrome for a while after the last that takes its events: an assistant's next action comes soon.
//
// To add a listener of webRequest and to remove it are calls of Chrome's process, and each action has four of them.

/** How long a listener stays: an assistant thinks for some seconds between two actions. */
export const KEPT_MS = 10_000;

type Taker = (...args: any[]) => unknown;

interface Kept {
  takers: Set<Taker>;
  pass: Taker;
  ending?: ReturnType<typeof setTimeout>;
}

/** What is listened to, by event and tab; 0 for all tabs. */
const listened: WeakMap<object, Map<number, Kept>> = new WeakMap();

/**
 * Take an event of Chrome's from now on; return how to stop. `filter` and `more`: as `addListener` has them; of one event
 * and one tab they are the same each time.
 */
export function takeEvents(event: any, taker: Taker, filter?: { tabId: number; urls: string[] }, more?: string[]) {
  const tab = filter?.tabId ?? 0;
  const byTab = listened.get(event) ?? new Map<number, Kept>();
  listened.set(event, byTab);
  let kept = byTab.get(tab);
  if (!kept) {
    const takers = new Set<Taker>();
    const pass = (...args: unknown[]) => {
      for (const one of [...takers]) one(...args);
    };
    kept = { takers, pass };
    byTab.set(tab, kept);
    event.addListener(pass, ...(filter ? [filter] : []), ...(more ? [more] : []));
  }
  const { takers, pass } = kept;
  clearTimeout(kept.ending);
  takers.add(taker);
  const end = () => {
    byTab.delete(tab);
    event.removeListener(pass);
  };
  return () => {
    if (takers.delete(taker) && !takers.size) kept.ending = setTimeout(end, KEPT_MS);
  };
}
