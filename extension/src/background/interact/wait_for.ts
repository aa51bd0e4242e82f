// The action wait_for: waits until an element has a state.

import { Failure } from '../failure.ts';
import { askPage } from '../tabs/page_queries.ts';
import type { Tab } from '../tabs/tabs.ts';

const POLL_MS = 50;

const DEFAULT_MS = 5000;

export async function waitFor(tab: Tab, query: Record<string, unknown>, signal: AbortSignal) {
  const boundMs = Number(query['timeout_ms'] ?? DEFAULT_MS);
  const begun = performance.now();
  for (;;) {
    const { there } = (await askPage(tab, 'probe', query, signal)) as { there: boolean };
    const waited_ms = Math.round(performance.now() - begun);
    if (there) return { success: true, action: query['action'], waited_ms };
    if (waited_ms >= boundMs) throw timedOut(query, boundMs);
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
  }
}

function timedOut({ selector, state = 'visible' }: Record<string, unknown>, ms: number) {
  return new Failure('wait_timeout', `${JSON.stringify(selector)} was not ${state} within ${ms} ms.`, {
    details: { selector, state, timeout_ms: ms },
  });
}
