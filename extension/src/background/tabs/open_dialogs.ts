// Knows which tabs stand at a dialog, and answers one: nothing may wait for a page that does; it must open none.
//
// A page says that a dialog opens (content/dialogs.js), and Chrome says so of a tab that we are attached to. If an act is
// under way there, the page waits until we are: then the dialog is kept until it is answered, by an assistant, the human,
// or its time. Any other dialog is the human's; who stands before it is told so.

import { Failure } from '../failure.ts';
import { type AskingDialog, type Attachment, attach, type Keeper } from './debugger.ts';
import type { Tab } from './tabs.ts';

/** `kept`: we can answer it */
export type OpenDialog = AskingDialog & { kept: boolean; certain: boolean };

export type Hold = { attached: Promise<Attachment>; keeper: Keeper; idle: any; users: number };

/** So long after its beginning what a page does is taken to be the act's doing; as content/dialogs.js has it. */
const ACT_MS = 5000;

/** So long a tab stays attached after an act's dialog was closed, or did not open: another may follow. */
const LINGER_MS = 3000;

/** The longest that a dialog is kept for an answer; then it is dismissed, for nobody seems to come. */
const KEPT_MS = 60_000;

/** A dialog that does not close so soon has opened, if Chrome has not said so by then: the page's own, and one of an act. */
const OPENS_MS = 150;
const OPENS_HELD_MS = 600;

/** How soon a page answers that stands at no dialog. */
const ANSWERS_MS = 200;

/** The longest text of a dialog, in characters. */
const TEXT = 500;

const TYPES = ['alert', 'confirm', 'prompt', 'beforeunload'];

const open: Map<number, OpenDialog> = new Map();

/** What a page says that opens, and is not known to have. */
const claims: Map<number, any> = new Map();

const holds: Map<number, Hold> = new Map();

const watchers: Map<number, Set<(dialog: OpenDialog) => void>> = new Map();

/** Dialogs that nobody answered in time. */
const dismissed: Map<number, string> = new Map();

/** When the last act began, as `performance.now()`. */
const acts: Map<number, number> = new Map();

/** The timers of the dialogs that are kept. */
const bounds: Map<number, any> = new Map();

/** Hear what a frame says of a dialog. */
export function hearDialog(
  {
    is,
    held,
    type,
    message,
    default_prompt,
  }: { is?: unknown; held?: unknown; type?: unknown; message?: unknown; default_prompt?: unknown },
  tab: number,
) {
  if (is === 'closed') return open.get(tab)?.certain ? undefined : closed(tab);
  if (is !== 'opening' || !TYPES.includes(String(type)) || open.has(tab)) return;
  const more = type === 'prompt' && { default_prompt: cut(default_prompt) };
  const dialog = { type: String(type), message: cut(message), ...more, kept: false, certain: false };
  const ours = held === true && actsIn(tab);
  claim(tab, dialog, ours ? OPENS_HELD_MS : OPENS_MS);
  if (ours)
    keepDialogs(tab).then(
      ({ release }) => (release(), claims.has(tab) && claim(tab, dialog, OPENS_HELD_MS)),
      () => {},
    ); // refused: the human's, then
}

/** Take a dialog to be open in a while, if neither Chrome nor the page has said more of it by then. */
function claim(tab: number, dialog: OpenDialog, ms: number) {
  clearTimeout(claims.get(tab));
  claims.set(
    tab,
    setTimeout(() => announce(tab, dialog), ms),
  );
}

/** Returns whether an act is under way there, or was a moment ago */
function actsIn(tab: number): boolean {
  return (watchers.get(tab)?.size ?? 0) > 0 || performance.now() - (acts.get(tab) ?? -Infinity) < ACT_MS;
}

function cut(text: unknown) {
  return typeof text === 'string' ? text.slice(0, TEXT).toWellFormed() : '';
}

/** Returns what the tab stands at */
export function dialogIn(tab: number): OpenDialog | undefined {
  return open.get(tab);
}

/**
 * Stay attached to a tab, so that its dialogs can be answered, until it is let go of and a while after.
 * @throws what Chrome refuses
 */
export async function keepDialogs(
  tab: number,
): Promise<{ attachment: Attachment; release: (how?: { atOnce?: boolean }) => void }> {
  const hold = holds.get(tab) ?? begin(tab);
  hold.users++;
  clearTimeout(hold.idle);
  const attachment = await hold.attached;
  const release = ({ atOnce = false } = {}) => {
    hold.users--;
    if (holds.get(tab) === hold) rest(tab, atOnce ? 0 : LINGER_MS);
  };
  return { attachment, release };
}

function begin(tab: number): Hold {
  const keeper = {
    opened: (dialog: AskingDialog) => announce(tab, { ...dialog, kept: true, certain: true }),
    closed: () => closed(tab),
  };
  const hold: Hold = { attached: attached(tab, keeper), keeper, idle: undefined, users: 0 };
  holds.set(tab, hold);
  return hold;
}

/** @throws what Chrome refuses */
async function attached(tab: number, keeper: Keeper): Promise<Attachment> {
  try {
    const attachment = await attach({ id: tab } as Tab);
    attachment.keepers.add(keeper);
    attachment.gone.addEventListener('abort', () => holds.get(tab)?.keeper === keeper && lost(tab)); // ended by Chrome or the user
    return attachment;
  } catch (fault) {
    holds.delete(tab);
    throw fault;
  }
}

/** Let go of a tab in a while, if nobody needs it. */
function rest(tab: number, ms: number = LINGER_MS) {
  const hold = holds.get(tab);
  if (!hold || hold.users > 0 || open.get(tab)?.kept) return;
  clearTimeout(hold.idle);
  hold.idle = setTimeout(() => letGo(tab), ms);
}

/** Let go of a tab. A dialog that is open there is dismissed before: to detach would leave it open (measured). */
async function letGo(tab: number) {
  const hold = holds.get(tab);
  if (!hold) return;
  holds.delete(tab);
  clearTimeout(hold.idle);
  const attachment = await hold.attached.catch(() => undefined);
  if (open.get(tab)?.kept) {
    await attachment?.ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => {}); // closed by now
    closed(tab);
  }
  attachment?.keepers.delete(hold.keeper);
  await attachment?.release();
}

/** Leave a tab that we were parted from: a dialog that is open there is the human's now. */
function lost(tab: number) {
  const dialog = open.get(tab);
  clearTimeout(bounds.get(tab));
  if (dialog?.kept) open.set(tab, { ...dialog, kept: false, certain: false });
  return letGo(tab);
}

/** @param tab that was closed */
export function forgetDialogs(tab: number) {
  closed(tab);
  acts.delete(tab);
  dismissed.delete(tab);
}

/** Let go of every tab: the human has switched us off. */
export function letDialogsGo() {
  for (const tab of holds.keys()) letGo(tab);
}

function announce(tab: number, dialog: OpenDialog) {
  clearTimeout(claims.get(tab));
  claims.delete(tab);
  clearTimeout(bounds.get(tab));
  open.set(tab, dialog);
  dismissed.delete(tab);
  if (dialog.kept)
    bounds.set(
      tab,
      setTimeout(() => giveUp(tab), KEPT_MS),
    );
  for (const tell of [...(watchers.get(tab) ?? [])]) tell(dialog);
}

function closed(tab: number) {
  clearTimeout(claims.get(tab));
  clearTimeout(bounds.get(tab));
  claims.delete(tab);
  bounds.delete(tab);
  if (open.delete(tab)) rest(tab);
}

async function giveUp(tab: number) {
  const dialog = open.get(tab);
  if (!dialog) return;
  dismissed.set(tab, dialog.type);
  await dismiss(tab, false).catch(() => {});
}

async function dismiss(tab: number, accept: boolean, promptText?: string) {
  const attachment = await holds.get(tab)?.attached;
  await attachment?.ask('Page.handleJavaScriptDialog', { accept, ...(promptText !== undefined && { promptText }) });
}

/**
 * Answer a tab's dialog.
 * @param text of a prompt
 * @returns which it was
 * @throws `not_found`, `dialog_open` if it cannot be answered, `invalid_params`
 */
export async function answerDialog(tab: Tab, accept: boolean, text: string | undefined): Promise<OpenDialog> {
  const dialog = await standingAt(tab.id);
  if (!dialog) throw none(tab.id);
  if (!dialog.kept) throw refusedAt(tab.id, dialog);
  if (text !== undefined && dialog.type !== 'prompt') {
    throw new Failure('invalid_params', `The dialog is of type ${dialog.type}: it takes no text.`, {
      details: { parameter: 'text', type: dialog.type },
      recovery: 'Answer without text.',
    });
  }
  const written = dialog.type === 'prompt' && accept ? (text ?? dialog.default_prompt) : undefined;
  await dismiss(tab.id, accept, written).catch(() => {}); // the human was faster
  if (open.get(tab.id) === dialog) closed(tab.id); // else another is open by now
  return dialog;
}

/**
 * Refuse what cannot be done while a tab stands at a dialog.
 * @throws `dialog_open`
 */
export async function refuseAtDialog(tab: number): Promise<void> {
  const dialog = await standingAt(tab);
  if (dialog) throw refusedAt(tab, dialog);
}

/**
 * Do something in a tab, and give up as soon as a dialog opens there: the page answers nothing until that is closed.
 * @throws `dialog_open`
 */
export async function untilDialog<T>(
  tab: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const { promise, reject } = Promise.withResolvers();
  const tell = (dialog: OpenDialog) => {
    const fault = openedIn(tab, dialog);
    reject(fault);
    ended.abort(fault);
  };
  const others = watchers.get(tab) ?? new Set();
  watchers.set(tab, others.add(tell));
  try {
    return (await Promise.race([work(AbortSignal.any([signal, ended.signal])), promise])) as T;
  } finally {
    others.delete(tell);
    if (!others.size && watchers.get(tab) === others) watchers.delete(tab);
  }
}

/** Have a tab's pages hold their dialogs until we are there: an act begins. */
export function expectDialogs(tab: number) {
  acts.set(tab, performance.now());
  chrome.tabs.sendMessage(tab, { name: 'expect_dialogs' }).catch(() => {}); // closed to us, or not there yet
}

/** Returns a dialog of which only the page has told may be closed by now: then it answers */
async function standingAt(tab: number): Promise<OpenDialog | undefined> {
  const dialog = open.get(tab);
  if (dialog && !dialog.certain && (await answers(tab))) closed(tab);
  return open.get(tab);
}

function answers(tab: number) {
  const asked = chrome.tabs.sendMessage(tab, { name: 'page_place', arguments: {} }, { frameId: 0 });
  const late = new Promise((done) => setTimeout(done, ANSWERS_MS, false));
  return Promise.race([
    asked.then(
      () => true,
      () => true,
    ),
    late,
  ]);
}

/** Make the error of what was under way when a dialog opened; `opened` tells it from what was not begun. */
function openedIn(tab: number, dialog: OpenDialog) {
  const alone = dialog.kept ? ', and waits for its answer' : ' that only the user can answer';
  return new Failure('dialog_open', `The page has opened a dialog (${dialog.type})${alone}.`, {
    details: { ...detailsOf(tab, dialog), opened: true },
    recovery: `${wayOut(dialog)} What was asked for is done as far as the dialog; do not repeat it.`,
  });
}

/** Make the error of what is not begun, because a dialog is open. */
function refusedAt(tab: number, dialog: OpenDialog) {
  const alone = dialog.kept ? '' : ' that only the user can answer';
  return new Failure('dialog_open', `A dialog (${dialog.type}) is open in the tab${alone}; nothing was done.`, {
    details: detailsOf(tab, dialog),
    recovery: `${wayOut(dialog)} Then call again.`,
  });
}

function wayOut({ kept, type }: OpenDialog) {
  const closed = type === 'beforeunload' ? '' : ', or give the tab up with "close_tab"';
  if (kept) return `Answer it with interact(action:"dialog", accept)${closed}.`;
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

function none(tab: number) {
  const late = dismissed.get(tab);
  dismissed.delete(tab);
  const past = late ? ` The last one (${late}) was dismissed after ${KEPT_MS / 1000} s without an answer.` : '';
  return new Failure('not_found', `No dialog is open in the tab.${past}`, {
    details: { tab_id: tab, ...(late && { dismissed: late }) },
    recovery: 'Look at the page with query_dom or observe(what:"page").',
  });
}
