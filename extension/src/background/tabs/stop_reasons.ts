// Says why a script was not run to its end: stopped in its time, or gone with its page or tab; it must stop nothing itself.

import { Failure } from '../failure.ts';
import { Detached } from './debugger.ts';
import { openTab, type Tab } from './tabs.ts';

/** What is said of a script that the page has not been given. */
export const UNSTARTED = 'unstarted';

/**
 * Say what was stopped, and how.
 * @param how `loop`, `promise`, `busy`, or UNSTARTED
 */
export function stopped(how: string, doing: string, ms: number): Failure {
  const text = sayings(doing, ms)[how] ?? '';
  return new Failure('execution_timeout', text, { details: { timeout_ms: ms }, recovery: RECOVERIES[how] ?? '' });
}

const RECOVERIES: Record<string, string> = {
  loop: 'Look for a loop that does not end. If the work takes long, set timeout_ms higher (30000 at most).',
  promise: 'Look for a promise that is never settled. If it takes long, set timeout_ms higher (30000 at most).',
  [UNSTARTED]: 'Ask the user to close any dialog in the tab, or reload the page; then try again.',
  busy: 'Ask the user to close any dialog in the tab, or reload the page; then try again.',
};

function sayings(doing: string, ms: number): Record<string, string> {
  return {
    loop: `The script was still ${doing} after ${ms} ms, and was stopped.`,
    promise: `After ${ms} ms the script was still ${doing}. Nothing of it is running now; what it waits for is left behind.`,
    [UNSTARTED]: `The page did not answer for ${ms} ms, and the script was not run: a dialog may be open in it, or its own scripts are busy.`,
    busy: `After ${ms} ms the script was still ${doing}. The page does not answer: a dialog may be open in it, or its own scripts are busy.`,
  };
}

/** Say what became of the tab or its page, where the debugger only says that it is not there. */
export async function explained(fault: unknown, tab: Tab): Promise<unknown> {
  if (fault instanceof Failure) return fault;
  const message = fault instanceof Error ? fault.message : '';
  if (!isParted(fault)) return fault;
  const now = await openTab(tab.id, `The tab ${tab.id} was closed while the script ran.`).catch((closed) => closed);
  if (now instanceof Failure) return now;
  if (message === 'canceled_by_user') return ended(tab);
  if (message === 'crashed') return crashed(tab);
  return new Failure('page_navigated', 'The page went away while the script ran; what the script did is done.', {
    details: { tab_id: tab.id, url: (now.url ?? '').slice(0, 500) },
    recovery: 'Wait until the new page has loaded, then run a script in it.',
  });
}

/** In what words Chrome says that the page or the tab is gone. */
const GONE = /navigated|closed|context|given id|not attached|detached|no tab/i;

/** Returns the page, the tab or the debugger's hold of it is gone */
export function isParted(fault: unknown): fault is Error {
  return (
    fault instanceof Detached || (fault instanceof Error && !(fault instanceof Failure) && GONE.test(fault.message))
  );
}

function ended(tab: Tab) {
  return new Failure('tab_not_scriptable', 'The user ended the debugging of the tab while the script ran.', {
    details: { tab_id: tab.id, url: (tab.url ?? '').slice(0, 500), reason: 'debugging_ended' },
    recovery: 'Ask the user whether scripts may run there.',
  });
}

function crashed(tab: Tab) {
  return new Failure('tab_not_scriptable', 'The page crashed while the script ran: it may have run out of memory.', {
    details: { tab_id: tab.id, url: (tab.url ?? '').slice(0, 500), reason: 'crashed' },
    recovery: 'Reload the tab.',
  });
}
