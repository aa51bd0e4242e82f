// The dialogs that are open in tabs: which they are, how one is answered, and how calls end when one opens.
//
// A page reports that a dialog opens (content/capture/dialog_watch.ts), and Chrome reports it for a tab that we are
// attached to. During an act the page waits until we are attached: then the dialog is kept until an assistant or the user
// answers it, or KEPT_MS have passed. Any other dialog is the user's.

import { HELD_MS } from '../../shared/dialog_hold.ts';
import { type AskingDialog, type Attachment, attach, type DialogKeeper } from './debugger.ts';
import { KEPT_MS, noDialog, openBefore, openedDuring, takesNoText } from './dialog_failures.ts';
import type { Tab } from './tabs.ts';

/** `kept`: we can answer it. `certain`: Chrome reported it, not the page alone. */
export type OpenDialog = AskingDialog & { kept: boolean; certain: boolean };

/** An attachment for as long as dialogs may be kept in a tab. */
type Hold = { attached: Promise<Attachment>; isAttached: boolean; keeper: DialogKeeper; idle: any; users: number };

/** A call that ends when a dialog opens; `acts`: the dialog may be its doing. */
type Watcher = { notify: (dialog: OpenDialog) => void; acts: boolean };

type DialogReport = { is?: unknown; held?: unknown; type?: unknown; message?: unknown; default_prompt?: unknown };

/** A dialog so soon after an act began belongs to the act; the same figure as in content/capture/dialog_watch.ts. */
const ACT_MS = 5000;

/** A tab stays attached so long after an act's dialog was closed, or did not open: another may follow. */
const LINGER_MS = 3000;

/** A page is informed that we stay attached so long: less, for the message takes time. */
const ATTACHED_MS = LINGER_MS - 500;

/** A reported dialog that has not closed so soon is open, though Chrome has not reported it: the page's own, an act's. */
const OPENS_MS = 150;
const OPENS_HELD_MS = HELD_MS + 350;

/** The longest wait for Chrome's report of a dialog if we attached in time: on a busy machine it takes a second. */
const OPENS_ATTACHED_MS = 5000;

/** A page without an open dialog answers within this time. */
const ANSWERS_MS = 200;

const TEXT_CHARACTERS = 500;

const TYPES = ['alert', 'confirm', 'prompt', 'beforeunload', 'print'];

const open: Map<number, OpenDialog> = new Map();

/** The timers of dialogs that a page has reported and that may not be open yet. */
const reported: Map<number, any> = new Map();

const holds: Map<number, Hold> = new Map();

const watchers: Map<number, Set<Watcher>> = new Map();

/** The types of dialogs that were dismissed because no answer came. */
const dismissed: Map<number, string> = new Map();

/** When the last act began, as `performance.now()`. */
const acts: Map<number, number> = new Map();

/** The timers of the dialogs that are kept. */
const bounds: Map<number, any> = new Map();

/** Take in what a frame reports about a dialog. */
export function dialogReported({ is, held, type, message, default_prompt }: DialogReport, tab: number) {
  if (is === 'closed') return open.get(tab)?.certain ? undefined : closed(tab);
  if (is !== 'opening' || !TYPES.includes(String(type)) || open.has(tab)) return;
  const more = type === 'prompt' && { default_prompt: cut(default_prompt) };
  const dialog = { type: String(type), message: cut(message), ...more, kept: false, certain: false };
  const isOfAct = held === true && isActingIn(tab);
  expectOpen(tab, dialog, isOfAct ? OPENS_HELD_MS : OPENS_MS);
  if (isOfAct) attachFor(tab, dialog);
}

function attachFor(tab: number, dialog: OpenDialog) {
  const reportedAt = performance.now();
  keepDialogs(tab).then(
    ({ release }) => {
      release();
      const isInTime = performance.now() - reportedAt < HELD_MS; // the page was still held
      if (reported.has(tab)) expectOpen(tab, dialog, isInTime ? OPENS_ATTACHED_MS : OPENS_HELD_MS);
    },
    () => {}, // Chrome refuses: then the dialog is the user's
  );
}

/** Take a dialog to be open after `ms`, unless Chrome or the page reports otherwise by then, or the page answers. */
function expectOpen(tab: number, dialog: OpenDialog, ms: number) {
  clearTimeout(reported.get(tab));
  const timer = setTimeout(async () => {
    const isGone = ms === OPENS_ATTACHED_MS && (await answers(tab));
    if (reported.get(tab) !== timer) return; // reported otherwise meanwhile
    if (isGone) closed(tab);
    else opened(tab, dialog);
  }, ms);
  reported.set(tab, timer);
}

/** Whether an act is running in a tab, or began a moment ago. */
function isActingIn(tab: number): boolean {
  const runs = [...(watchers.get(tab) ?? [])].some(({ acts }) => acts);
  return runs || performance.now() - (acts.get(tab) ?? -Infinity) < ACT_MS;
}

function cut(text: unknown) {
  return typeof text === 'string' ? text.slice(0, TEXT_CHARACTERS).toWellFormed() : '';
}

export function dialogIn(tab: number): OpenDialog | undefined {
  return open.get(tab);
}

/** Attach to a tab, so that its dialogs can be answered, until the release and LINGER_MS after it. */
export async function keepDialogs(
  tab: number,
): Promise<{ attachment: Attachment; release: (how?: { atOnce?: boolean }) => void }> {
  const hold = holds.get(tab) ?? beginHold(tab);
  hold.users++;
  clearTimeout(hold.idle);
  const attachment = await hold.attached;
  const release = ({ atOnce = false } = {}) => {
    hold.users--;
    if (holds.get(tab) === hold) detachLater(tab, atOnce ? 0 : LINGER_MS);
  };
  return { attachment, release };
}

/**
 * See the dialogs of a tab to which we are attached for another reason. One that an act opens is kept for an answer; any
 * other is the user's, as if we were not there.
 */
export function observeDialogs(tab: number): DialogKeeper {
  return {
    opened: (dialog) => {
      const isOfAct = performance.now() - (acts.get(tab) ?? -Infinity) < ACT_MS;
      opened(tab, { ...dialog, kept: isOfAct, certain: isOfAct });
      if (isOfAct)
        keepDialogs(tab).then(
          ({ release }) => release(),
          () => {},
        );
    },
    closed: () => closed(tab),
  };
}

function beginHold(tab: number): Hold {
  const keeper = {
    opened: (dialog: AskingDialog) => opened(tab, { ...dialog, kept: true, certain: true }),
    closed: () => closed(tab),
  };
  const hold: Hold = { attached: attached(tab, keeper), isAttached: false, keeper, idle: undefined, users: 0 };
  hold.attached.then(
    () => (hold.isAttached = true),
    () => {}, // it is awaited elsewhere
  );
  holds.set(tab, hold);
  return hold;
}

async function attached(tab: number, keeper: DialogKeeper): Promise<Attachment> {
  try {
    const attachment = await attach({ id: tab } as Tab);
    attachment.keepers.add(keeper);
    attachment.gone.addEventListener('abort', () => holds.get(tab)?.keeper === keeper && detached(tab)); // by Chrome or the user
    return attachment;
  } catch (fault) {
    holds.delete(tab);
    throw fault;
  }
}

/** Detach from a tab after `ms` if it has no users, and no dialog that is open or about to open. */
function detachLater(tab: number, ms: number = LINGER_MS) {
  const hold = holds.get(tab);
  if (!hold || hold.users > 0 || open.get(tab)?.kept || reported.has(tab)) return;
  clearTimeout(hold.idle);
  hold.idle = setTimeout(() => endHold(tab), ms);
}

/** Detach from a tab. An open dialog is dismissed first: detaching would leave it open (measured). */
async function endHold(tab: number) {
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

/** After Chrome or the user has detached us: a dialog that is open there is the user's now. */
function detached(tab: number) {
  const dialog = open.get(tab);
  clearTimeout(bounds.get(tab));
  if (dialog?.kept) open.set(tab, { ...dialog, kept: false, certain: false });
  return endHold(tab);
}

/** Drop what is known of a tab that was closed. */
export function forgetDialogs(tab: number) {
  closed(tab);
  acts.delete(tab);
  dismissed.delete(tab);
}

/** Detach from every tab: the user has switched AI Web Pilot off. */
export function releaseDialogs() {
  for (const tab of holds.keys()) endHold(tab);
}

function opened(tab: number, dialog: OpenDialog) {
  clearTimeout(reported.get(tab));
  reported.delete(tab);
  clearTimeout(bounds.get(tab));
  clearTimeout(holds.get(tab)?.idle);
  open.set(tab, dialog);
  dismissed.delete(tab);
  if (dialog.kept) {
    const timer = setTimeout(() => dismissUnanswered(tab), KEPT_MS);
    bounds.set(tab, timer);
  } else detachLater(tab);
  for (const { notify } of [...(watchers.get(tab) ?? [])]) notify(dialog);
}

function closed(tab: number) {
  clearTimeout(reported.get(tab));
  clearTimeout(bounds.get(tab));
  bounds.delete(tab);
  const wasReported = reported.delete(tab);
  if (open.delete(tab) || wasReported) detachLater(tab);
}

async function dismissUnanswered(tab: number) {
  const dialog = open.get(tab);
  if (!dialog) return;
  dismissed.set(tab, dialog.type);
  await handle(tab, false).catch(() => {});
}

async function handle(tab: number, accept: boolean, promptText?: string) {
  const attachment = await holds.get(tab)?.attached;
  await attachment?.ask('Page.handleJavaScriptDialog', { accept, ...(promptText !== undefined && { promptText }) });
}

/** Answer a tab's dialog, a prompt with a text; throws `not_found`, and `dialog_open` for one that is the user's. */
export async function answerDialog(tab: Tab, accept: boolean, text: string | undefined): Promise<OpenDialog> {
  const dialog = await openNow(tab.id);
  if (!dialog) throw unanswerable(tab.id);
  if (!dialog.kept) throw openBefore(tab.id, dialog);
  if (text !== undefined && dialog.type !== 'prompt') throw takesNoText(dialog);
  const promptText = dialog.type === 'prompt' && accept ? (text ?? dialog.default_prompt) : undefined;
  await handle(tab.id, accept, promptText).catch(() => {}); // the user answered it first
  if (open.get(tab.id) === dialog) closed(tab.id); // else another is open by now
  return dialog;
}

function unanswerable(tab: number) {
  const type = dismissed.get(tab);
  dismissed.delete(tab);
  return noDialog(tab, type);
}

/** Throw `dialog_open` while a dialog is open in a tab. */
export async function refuseAtDialog(tab: number): Promise<void> {
  const dialog = await openNow(tab);
  if (dialog) throw openBefore(tab, dialog);
}

/**
 * Run some work in a tab; abort it with `dialog_open` as soon as a dialog opens: the page answers nothing while one is open.
 * `acts`: a dialog that opens meanwhile is the work's; that of a read is the user's.
 */
export async function untilDialog<T>(
  tab: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  { acts = false } = {},
): Promise<T> {
  const ended = new AbortController();
  const { promise, reject } = Promise.withResolvers();
  const notify = (dialog: OpenDialog) => {
    const fault = openedDuring(tab, dialog);
    reject(fault);
    ended.abort(fault);
  };
  const others = watchers.get(tab) ?? new Set();
  const watcher = { notify, acts };
  watchers.set(tab, others.add(watcher));
  try {
    return (await Promise.race([work(AbortSignal.any([signal, ended.signal])), promise])) as T;
  } finally {
    others.delete(watcher);
    if (!others.size && watchers.get(tab) === others) watchers.delete(tab);
  }
}

/**
 * Make a tab's pages hold their dialogs until we are attached; called when an act begins. Where we are attached still, after
 * another dialog, the pages need not wait.
 */
export function expectDialogs(tab: number) {
  acts.set(tab, performance.now());
  const isAttached = holds.get(tab)?.isAttached === true;
  if (isAttached) detachLater(tab);
  const attachedMs = isAttached ? ATTACHED_MS : 0;
  chrome.tabs.sendMessage(tab, { name: 'expect_dialogs', attached_ms: attachedMs }).catch(() => {}); // a page without our scripts
}

/** The dialog that is open now. One that only the page reported may be closed by now: then the page answers. */
async function openNow(tab: number): Promise<OpenDialog | undefined> {
  const dialog = open.get(tab);
  if (dialog && !dialog.certain && (await answers(tab))) closed(tab);
  return open.get(tab);
}

function answers(tab: number) {
  const asked = chrome.tabs.sendMessage(tab, { name: 'page_place', arguments: {} }, { frameId: 0 });
  const late = new Promise((done) => setTimeout(done, ANSWERS_MS, false));
  const any = () => true;
  return Promise.race([asked.then(any, any), late]);
}
