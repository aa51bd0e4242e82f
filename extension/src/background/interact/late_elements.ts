// Waits for an element that the tab's last action may be about to show: a menu that opens late, a part that is loaded first.

import { Failure } from '../failure.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

/** How long after an action what it shows may come: menus open up to 300 ms late, parts that are loaded first up to this. */
const SHOWN_MS = 1_000;
const POLL_MS = 50;

type Query = Record<string, unknown>;

/** By tab: `performance.now()` at the reply to its last action. */
const replied: Map<number, number> = new Map();

export function noteReply(tab: number) {
  replied.set(tab, performance.now());
}

/** Do what is asked; if its element is missing right after an action, once more when that has come. */
export async function withLateElements<Reply>(
  tab: Tab,
  query: Query,
  signal: AbortSignal,
  perform: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await perform();
  } catch (fault) {
    if (!(await comes(tab, query, fault, signal))) throw fault;
  }
  return perform();
}

async function comes(tab: Tab, { selector }: Query, fault: unknown, signal: AbortSignal): Promise<boolean> {
  const isMissing = fault instanceof Failure && /^element_not_(found|visible)$/.test(fault.fault.code);
  const isMeant = fault instanceof Failure && fault.fault.details?.['selector'] === selector;
  const until = (replied.get(tab.id) ?? -Infinity) + SHOWN_MS;
  while (isMissing && isMeant && performance.now() < until) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
    const { there } = (await askPage(tab, 'probe', { selector }, signal)) as { there: boolean };
    if (there) return true;
  }
  return false;
}
