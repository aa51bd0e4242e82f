// Waits, before a page is read or acted on, until a tab that is on its way to another page shows that one.

import { askPage } from './page_queries.ts';
import { openTab, type Tab } from './tabs.ts';

/** The longest wait for the page that comes, and for one that has come to be parsed. */
const COMING_MS = 5_000;
const PARSING_MS = 2_000;
const POLL_MS = 30;

/** Searches wait for the typing to pause, for up to 400 ms as a rule, before they do anything. */
const TYPING_MS = 450;

/** By tab: `performance.now()` until which what was typed may not have had its effect. */
const typing: Map<number, number> = new Map();

/** `loading`: the page that is shown is not complete, or another is on its way; `loading_url`: its address, if known. */
export type Loading = { loading?: true; loading_url?: string };

/** `state`: the document's readyState. */
type Place = { born: number; state: string };

/** Note that text was typed in a tab: what is read next is read when a search had time to begin. */
export function noteTyping(tab: number) {
  typing.set(tab, performance.now() + TYPING_MS);
}

/** Whether what was typed in a tab may not have had its effect yet. */
export function isTypedIn(tab: number): boolean {
  return typing.has(tab);
}

/** Wait until what was typed in a tab has had its effect, as far as it is read at once. */
export async function typingOver(tab: number): Promise<void> {
  const left = (typing.get(tab) ?? 0) - performance.now();
  typing.delete(tab);
  if (left > 0) await new Promise((done) => setTimeout(done, left));
}

/** Wait for the page that a tab is loading; give the tab as it is then. A tab that is complete costs nothing. */
export async function arrived(tab: Tab, signal: AbortSignal): Promise<{ tab: Tab; loading: Loading }> {
  let now = tab;
  const begun = performance.now();
  while (now.status === 'loading') {
    const place = await placeOf(now, signal);
    const waited = performance.now() - begun;
    if (place?.state === 'interactive' || waited >= (place?.state === 'loading' ? PARSING_MS : COMING_MS))
      return { tab: now, loading: loadingOf(now) };
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
    now = await openTab(tab.id);
  }
  return { tab: now, loading: {} };
}

function loadingOf({ pendingUrl }: Tab): Loading {
  return { loading: true, ...(pendingUrl && { loading_url: pendingUrl.slice(0, 500) }) };
}

/** The page that a tab shows meanwhile: one that is complete is about to be left; undefined for one that cannot be asked. */
async function placeOf(tab: Tab, signal: AbortSignal): Promise<Place | undefined> {
  try {
    return (await askPage(tab, 'page_place', {}, signal)) as Place;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
