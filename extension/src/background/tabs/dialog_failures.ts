// The failures of calls that meet an open dialog, or none where one is needed.

import { Failure } from '../failure.ts';
import type { OpenDialog } from './open_dialogs.ts';

/** The longest that a dialog waits for an answer; then it is dismissed. */
export const KEPT_MS = 60_000;

/** For a call that was running when a dialog opened; `opened` marks that it had begun. */
export function openedDuring(tab: number, dialog: OpenDialog) {
  const ending = dialog.kept ? `, and waits ${KEPT_MS / 1000} s for its answer` : ' that only the user can answer';
  return new Failure('dialog_open', `The page has opened a dialog (${dialog.type})${ending}.`, {
    details: { ...detailsOf(tab, dialog), opened: true },
    recovery: `${wayOut(dialog)} The action is done up to the dialog; do not repeat it${dialog.kept ? ': that reply reports what it did' : ''}.`,
  });
}

/** For a call that is not begun because a dialog is open. */
export function openBefore(tab: number, dialog: OpenDialog) {
  const ending = dialog.kept ? '' : ' that only the user can answer';
  return new Failure('dialog_open', `A dialog (${dialog.type}) is open in the tab${ending}; nothing was done.`, {
    details: detailsOf(tab, dialog),
    recovery: `${wayOut(dialog)} Then call again.`,
  });
}

/** `dismissed`: the type of the last dialog, if it was dismissed because no answer came. */
export function noDialog(tab: number, dismissed: string | undefined) {
  const past = dismissed
    ? ` The last one (${dismissed}) was dismissed after ${KEPT_MS / 1000} s without an answer.`
    : '';
  return new Failure('not_found', `No dialog is open in the tab.${past}`, {
    details: { tab_id: tab, ...(dismissed && { dismissed }) },
    recovery: 'Look at the page with query_dom or observe(what:"page").',
  });
}

export function takesNoText({ type }: OpenDialog) {
  return new Failure('invalid_params', `The dialog is of type ${type}: it takes no text.`, {
    details: { parameter: 'text', type },
    recovery: 'Answer without text.',
  });
}

function wayOut({ kept, type }: OpenDialog) {
  const closing = type === 'beforeunload' ? '' : ', or give the tab up with "close_tab"';
  if (kept) return `Answer it with interact(action:"dialog", accept)${closing}.`;
  if (type === 'print') return 'Ask the user to close it, or close the tab with interact(action:"close_tab", tab_id).';
  return 'Ask the user to answer it, or leave the page with interact(action:"refresh") or "navigate".';
}

function detailsOf(tab: number, { type, message, default_prompt, kept }: OpenDialog) {
  return {
    tab_id: tab,
    type,
    message,
    ...(default_prompt !== undefined && { default_prompt }),
    ...(!kept && { answerable: false }),
  };
}
