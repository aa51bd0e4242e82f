// Reports a dialog to the service worker before it opens, and holds the page until the worker can attach; it must answer none.
//
// Only a client that attached before a dialog opened can answer it (measured in Chromium 156: "No dialog is showing"
// afterwards), and once it is open nothing runs in the page. So while an assistant's action is under way, the page is held
// here for a moment, in which the service worker attaches, unless it is attached still. A new page cannot know whether an
// action has led to it: while the human lets an assistant act it is held, too, and the service worker decides. No other
// dialog waits.

import { holdPage } from '../../shared/dialog_hold.ts';
import { frame } from '../frame.ts';
import { recordDialog } from '../record/dialogs.ts';
import { notePrompt } from './prompt_notes.ts';

/** So long after its beginning what a page does is taken to be the act's doing. */
const ACT_MS = 5000;

/** Dialogs a second that are reported: no assistant answers more, and those that Chrome suppresses close at once. */
const REPORTED_DIALOGS = 10;

/** `open`: since when one is, as `performance.now()`. */
type DialogWatch = {
  actUntil: number;
  attachedUntil: number;
  held: boolean;
  open: number | undefined;
  second: number;
  reported: number;
};

/** Of the last act: one for each would stay in the page for seconds. */
let ending: ReturnType<typeof setTimeout> | undefined;

let dialogWatch: DialogWatch = {
  actUntil: -1,
  attachedUntil: -1,
  held: false,
  open: undefined,
  second: 0,
  reported: 0,
};

/** Receive from the page's world, as JSON of page/dialog_calls.ts: a dialog is about to open, or is closed. */
export function receiveDialog(detail: unknown) {
  const report = readDialog(detail);
  const { is, type, message, default_prompt, result } = report;
  if (is === 'closed') return closedDialog(type, message, result);
  if (is !== 'opening') return notePrompt(report);
  if (!['alert', 'confirm', 'prompt', 'print'].includes(type)) return;
  openingDialog({
    type,
    message: dialogText(message),
    ...(type === 'prompt' && { default_prompt: dialogText(default_prompt) }),
  });
}

function readDialog(detail: unknown) {
  try {
    return JSON.parse(String(detail)) ?? {};
  } catch {
    return {};
  }
}

function dialogText(text: unknown) {
  return typeof text === 'string' ? text.slice(0, 500).toWellFormed() : '';
}

function openingDialog(dialog: { type: string; message: string; default_prompt?: string }) {
  const watch = dialogWatch;
  const now = performance.now();
  const isPrint = dialog.type === 'print';
  if (!isPrint && !mayOpenDialogs()) return;
  if (now - watch.second > 1000) Object.assign(watch, { second: now, reported: 0 });
  if (++watch.reported > REPORTED_DIALOGS) return;
  watch.open = now;
  const held = !isPrint && now < watch.actUntil; // only the user can close the window that prints
  sendDialog({ is: 'opening', held, ...dialog });
  if (!held || watch.held || now < watch.attachedUntil) return;
  watch.held = true; // the tab stays attached for a while: the next one need not wait
  holdPage();
}

/** Whether Chrome opens dialogs here: not for a frame of another origin than the page's. */
function mayOpenDialogs(): boolean {
  try {
    return Boolean(window.top?.document);
  } catch {
    return false;
  }
}

function closedDialog(type: unknown, message: unknown, result: unknown) {
  const { open } = dialogWatch;
  if (open === undefined) return;
  dialogWatch.open = undefined;
  frame.heldUntil = performance.now();
  frame.heldMs += frame.heldUntil - open;
  if (typeof type === 'string' && type !== 'print') recordDialog(type, dialogText(message), result);
  sendDialog({ is: 'closed' });
}

function sendDialog(report: object) {
  if (chrome.runtime?.id) chrome.runtime.sendMessage({ name: 'dialog', ...report }).catch(() => {}); // it sees for itself that the page hangs
}

/** An act may have led to this page. */
function holdEarlyDialogs() {
  dialogWatch.actUntil = Math.max(dialogWatch.actUntil, ACT_MS);
}

/** An assistant's act begins in this tab; while the worker is attached already, no dialog has to wait for it. */
function expectDialogs(attachedMs: number) {
  const now = performance.now();
  const until = { actUntil: now + ACT_MS, attachedUntil: now + attachedMs };
  dialogWatch = { ...until, held: false, open: undefined, second: 0, reported: 0 };
  window.removeEventListener('beforeunload', reportLeaving); // last again, to see what the page's own have decided
  window.addEventListener('beforeunload', reportLeaving);
  clearTimeout(ending);
  ending = setTimeout(() => window.removeEventListener('beforeunload', reportLeaving), ACT_MS + 10);
}

/**
 * Report the browser's question whether to leave, if it will ask: Chrome does so only for pages that a human, or
 * trusted input, has touched.
 */
function reportLeaving(event: BeforeUnloadEvent) {
  const asks = event.defaultPrevented || event.returnValue !== '';
  if (event.isTrusted && asks && navigator.userActivation?.hasBeenActive)
    openingDialog({ type: 'beforeunload', message: '' });
}

export function startDialogWatch() {
  frame.holdEarlyDialogs = holdEarlyDialogs;
  chrome.runtime.onMessage.addListener((message, sender) => {
    if (sender.id === chrome.runtime.id && message?.name === 'expect_dialogs')
      expectDialogs(Number(message.attached_ms));
  });
}
