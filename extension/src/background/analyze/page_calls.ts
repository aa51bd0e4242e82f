// Asks a document something for an analysis, in the isolated world: by its id, so that no other page answers for it.

import { obstacleFrom, obstacleOf } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import { closedTo } from '../tabs/access.ts';
import { contentOf, type PageAnswer } from '../tabs/page_queries.ts';
import { openTab, type Tab } from '../tabs/tabs.ts';

/** A document that a tab shows, or one of its frames. */
export type Place = { tabId: number; documentIds: string[] };

const ANALYZE = 'content/analyze.js';

/** The id of the document that a frame of a tab shows. */
export async function documentIn(tab: Tab, frame: number): Promise<string> {
  const obstacle = obstacleOf(tab);
  if (obstacle) throw closedTo(tab, obstacle);
  const target = { tabId: tab.id, frameIds: [frame] };
  try {
    const [found] = await chrome.scripting.executeScript({ target, func: () => 0, injectImmediately: true });
    if (found) return found.documentId;
  } catch (fault) {
    const now = await openTab(tab.id);
    throw closedTo(now, obstacleOf(now) ?? obstacleFrom(String((fault as Error).message), now.url ?? ''));
  }
  throw left();
}

export function placeOf(tab: Tab, documentId: string): Place {
  return { tabId: tab.id, documentIds: [documentId] };
}

/** Ask a document a question of content/analyze_entry.ts, which is injected first where it is missing. */
export async function askDocument(place: Place, name: string, query: object = {}): Promise<any> {
  const first = await answered(place, name, query);
  if (first) return contentOf(first);
  await inject(place, [ANALYZE]);
  const second = await answered(place, name, query);
  if (!second) throw left();
  return contentOf(second);
}

/** Inject files into a document; throws what Chrome has against it. */
export async function inject(target: Place, files: string[]): Promise<void> {
  await chrome.scripting.executeScript({ target, files, injectImmediately: true });
}

/** Undefined if the document has no bundle for it yet. */
async function answered(target: Place, name: string, query: object): Promise<PageAnswer | undefined> {
  const [found] = await chrome.scripting
    .executeScript({
      target,
      func: (name: string, query: object) => (globalThis as any).gasoline?.analysis?.(name, query) ?? { absent: true },
      args: [name, query],
      injectImmediately: true,
    })
    .catch(() => []);
  if (!found?.result) throw left();
  return (found.result as any).absent ? undefined : (found.result as PageAnswer);
}

export function left() {
  return new Failure('page_navigated', 'The page was left before the analysis had ended.');
}
