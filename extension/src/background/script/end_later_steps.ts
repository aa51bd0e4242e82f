// Ends what a script still waits for when the user puts the switch off: each later step is terminated where it begins.
//
// A script that waits cannot be stopped: nothing of it runs. So the debugger stays, with a breakpoint at each place that V8
// names of the script, and terminates what comes back to one. A call by the page of what the script left there goes on.

import { Failure } from '../failure.ts';
import { attach, type DialogKeeper } from '../tabs/debugger.ts';
import type { Tab } from '../tabs/tabs.ts';

/** How long the debugger stays: the longest time of a script. */
const HELD_MS = 30_000;

/** Whether a script was aborted because the user has put the switch off. */
export function isSwitchedOff({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Failure && reason.fault.code === 'ai_web_pilot_disabled';
}

/** Terminate each later step of the scripts of this name; settled once none can take one any more. */
export async function endLaterSteps(tab: Tab, name: string): Promise<void> {
  const keeper: DialogKeeper = { opened: () => {}, closed: () => {} }; // a dialog is the user's, whose page it is again
  const attachment = await attach(tab);
  attachment.keepers.add(keeper);
  setTimeout(() => {
    attachment.keepers.delete(keeper);
    attachment.release();
  }, HELD_MS);
  await attachment.terminateLater(name);
}
