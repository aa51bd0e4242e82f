// Keeps the action that a dialog has interrupted, so that the dialog's answer reports what came of it; one a tab.

import { Failure } from '../failure.ts';
import { dialogIn } from '../tabs/open_dialogs.ts';

export interface Interrupted {
  /** Waits until the page is idle, and gives the report of the action. */
  resume: (signal: AbortSignal) => Promise<object>;
  /** Ends its observation; no reply needs it. */
  abandon: () => void;
}

/** A dialog that the user has answered leaves its action without a report after this time. */
const UNASKED_MS = 5_000;

const interrupted: Map<number, Interrupted> = new Map();

/** Keep an action that a dialog of its tab has interrupted until that is answered. */
export function keepInterrupted(tab: number, action: Interrupted) {
  interrupted.set(tab, action);
  const timer = setInterval(() => {
    const isKept = interrupted.get(tab) === action;
    if (isKept && dialogIn(tab)) return;
    clearInterval(timer);
    if (!isKept) return; // its dialog was answered
    interrupted.delete(tab);
    action.abandon();
  }, UNASKED_MS);
}

/** What came of the action that the dialog interrupted that has just been answered; throws `dialog_open` at a further one. */
export async function reportInterrupted(tab: number, signal: AbortSignal): Promise<object> {
  const action = interrupted.get(tab);
  interrupted.delete(tab);
  try {
    return (await action?.resume(signal)) ?? {};
  } catch (fault) {
    if (signal.aborted) throw fault;
    action?.abandon();
    return {}; // the dialog was answered, whatever became of the action
  }
}

/** Whether a call was aborted because a dialog has opened. */
export function isByDialog({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Failure && reason.fault.code === 'dialog_open';
}
