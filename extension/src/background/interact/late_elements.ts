// Waits for an element that the tab's last action may be about to show, free or enable.
//
// A menu that opens, a dialog that closes, a button of a form that is checked once the typing rests.

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

/** Do what is asked; if its element is missing, covered or disabled right after an action, again when that may have changed. */
export async function withLateElements<Reply>(
  tab: Tab,
  query: Query,
  signal: AbortSignal,
  perform: () => Promise<Reply>,
): Promise<Reply> {
  for (;;) {
    try {
      return await perform();
    } catch (fault) {
      if (!(await mayBeThere(tab, query, fault, signal))) throw fault;
    }
  }
}

async function mayBeThere(tab: Tab, { selector }: Query, fault: unknown, signal: AbortSignal): Promise<boolean> {
  const { code = '', details = {} } = fault instanceof Failure ? fault.fault : {};
  if (!/^element_(covered|disabled|not_(found|visible))$/.test(code) || details['selector'] !== selector) return false;
  const until = (replied.get(tab.id) ?? -Infinity) + SHOWN_MS;
  while (performance.now() < until) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
    const { there } = (await askPage(tab, 'probe', { selector }, signal)) as { there: boolean };
    if (there) return true;
  }
  return false;
}
