// The failures of scripts that did not run to their end: stopped in time, or gone with their page or tab.

import { Failure, type FaultDetails } from '../failure.ts';
import { Detached } from './debugger.ts';
import { openTab, type Tab } from './tabs.ts';

/** What a script was found to be doing at its deadline. */
export type StopReason = 'loop' | 'promise' | 'busy' | 'unstarted';

const RECOVERIES: Record<StopReason, string> = {
  loop: 'Look for a loop that does not end. If the work takes long, set timeout_ms higher (30000 at most).',
  promise: 'Look for a promise that is never settled. If it takes long, set timeout_ms higher (30000 at most).',
  unstarted: 'Ask the user to close any dialog in the tab, or reload the page; then try again.',
  busy: 'Ask the user to close any dialog in the tab, or reload the page; then try again.',
};

/** `doing`: the step that was under way, as a participle. */
export function stopped(reason: StopReason, doing: string, ms: number): Failure {
  const details = { timeout_ms: ms };
  return new Failure('execution_timeout', messages(doing, ms)[reason], { details, recovery: RECOVERIES[reason] });
}

function messages(doing: string, ms: number): Record<StopReason, string> {
  return {
    loop: `The script was still ${doing} after ${ms} ms, and was stopped.`,
    promise: `After ${ms} ms the script was still ${doing}. None of it is running now; what it waits for is abandoned.`,
    unstarted: `The page did not answer for ${ms} ms, and the script was not run: a dialog may be open in it, or its own scripts are busy.`,
    busy: `After ${ms} ms the script was still ${doing}. The page does not answer: a dialog may be open in it, or its own scripts are busy.`,
  };
}

/** Turn the debugger's error about a missing target into a failure that states what happened to the page or tab. */
export async function explainDisconnect(fault: unknown, tab: Tab): Promise<unknown> {
  if (!isDisconnected(fault)) return fault;
  const now = await openTab(tab.id, `The tab ${tab.id} was closed while the script ran.`).catch((closed) => closed);
  if (now instanceof Failure) return now;
  if (fault.message === 'canceled_by_user') return debuggingEnded(tab);
  if (fault.message === 'crashed') return crashed(tab);
  return new Failure('page_navigated', 'The page was left while the script ran; what the script did is done.', {
    details: { tab_id: tab.id, url: (now.url ?? '').slice(0, 500) },
    recovery: 'Wait until the new page has loaded, then run a script in it.',
  });
}

/** Words of Chrome's errors about a page or tab that is gone. */
const GONE = /navigated|closed|context|given id|not attached|detached|no tab/i;

/** Whether an error means that the page, the tab or the debugger's attachment is gone. */
export function isDisconnected(fault: unknown): fault is Error {
  if (fault instanceof Detached) return true;
  return fault instanceof Error && !(fault instanceof Failure) && GONE.test(fault.message);
}

function debuggingEnded(tab: Tab) {
  return new Failure(
    'tab_not_scriptable',
    'The user ended the debugging of the tab while the script ran.',
    more(tab, 'debugging_ended', 'Ask the user whether scripts may run there.'),
  );
}

function crashed(tab: Tab) {
  return new Failure(
    'tab_not_scriptable',
    'The page crashed while the script ran: it may have run out of memory.',
    more(tab, 'crashed', 'Reload the tab.'),
  );
}

function more({ id, url = '' }: Tab, reason: string, recovery: string): FaultDetails {
  return { details: { tab_id: id, url: url.slice(0, 500), reason }, recovery };
}
