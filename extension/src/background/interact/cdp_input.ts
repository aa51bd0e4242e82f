// Sends real input by the debugger to the place that an action's page computes (content/act/input_target.ts).
//
// Such input is trusted: it opens pop-ups, reaches the clipboard, and satisfies sites that check `isTrusted`. The debugger
// is attached before the place is looked up, for Chrome's bar moves the page.

import { Failure } from '../failure.ts';
import { keepDialogs } from '../tabs/open_dialogs.ts';
import { askPage } from '../tabs/page_queries.ts';
import { isDisconnected } from '../tabs/stop_reasons.ts';
import type { Tab } from '../tabs/tabs.ts';
import type { Press } from './key_codes.ts';
import { withLateElements } from './late_elements.ts';

export type Point = { x: number; y: number };

/** Where input goes. `framed`: into a frame. */
export type InputTarget = { at: Point; to: Point; framed: boolean; draggable: boolean; press: Press };

export type Send = (method: string, params: object) => Promise<unknown>;

export type InputContext = { tab: Tab; query: Record<string, unknown>; signal: AbortSignal; send: Send };

/** Sends the input of one action; gives the last target. */
export type CdpInput = (context: InputContext, target: InputTarget) => Promise<InputTarget>;

/** How often a place is looked up until it is the same twice, and the time between: Chrome's bar slides in. */
const LOOKUPS = 12;
const LOOKUP_MS = 30;

/** Why Chrome detaches the debugger from a page that stays. */
const DETACHED: Record<string, string> = {
  canceled_by_user: 'the user ended the debugging of the tab',
  crashed: 'the page crashed',
};

/** Attach to a tab for the input of one action. The page has the commands then: their injection is not timed with it. */
export async function cdpInput(tab: Tab, input: CdpInput, signal: AbortSignal) {
  if (tab.frame) throw frameUnsupported();
  await askPage(tab, 'page_place', {}, signal);
  const { attachment, release } = await keepDialogs(tab.id);
  const send: Send = (method, params) => attachment.ask(method, params);
  return {
    perform: (query: Record<string, unknown>, signal: AbortSignal) => perform(input, { tab, query, signal, send }),
    end: () => release({ atOnce: true }),
  };
}

/** Look up the place of the input until it no longer moves, and make the page watch for the input. */
export async function resolveTarget({ tab, query, signal }: InputContext): Promise<InputTarget> {
  const lookUp = async (more: object) =>
    (await askPage(tab, 'input_target', { ...query, ...more }, signal)) as InputTarget;
  let now = await withLateElements(tab, query, signal, () => lookUp({}));
  for (let left = LOOKUPS; left > 0; left--) {
    const before = JSON.stringify(now);
    now = await lookUp({});
    if (JSON.stringify(now) === before) break;
    await new Promise((done) => setTimeout(done, LOOKUP_MS));
  }
  announceInput(tab, true, now.framed);
  const target = await lookUp({ go: true });
  signal.throwIfAborted();
  return target;
}

async function perform(input: CdpInput, context: InputContext): Promise<void> {
  const { tab } = context;
  try {
    await input(context, await resolveTarget(context));
  } catch (fault) {
    if (!isDisconnected(fault)) throw fault;
    if (Object.hasOwn(DETACHED, fault.message)) throw interrupted(tab, fault.message);
    // else the page or its tab was left by the input, as it was meant to
  } finally {
    announceInput(tab, false);
  }
}

/** Mark the input as the assistant's for the scripts in the page. `anywhere`: presses may land in any of its frames. */
function announceInput(tab: Tab, on: boolean, anywhere: boolean = false) {
  chrome.tabs.sendMessage(tab.id, { name: 'synthetic_input', on, anywhere }).catch(() => {}); // it has no answer
}

function frameUnsupported() {
  return new Failure('invalid_params', 'There is no real input for a frame of another origin.', {
    details: { parameter: 'trusted', value: true },
    recovery: 'Leave trusted out.',
  });
}

function interrupted({ id }: Tab, reason: string) {
  return new Failure('outcome_unknown', `Real input was interrupted: ${DETACHED[reason]}.`, {
    details: { tab_id: id, reason },
    recovery: 'Look at the state of the page; then leave trusted out, or ask the user.',
  });
}
