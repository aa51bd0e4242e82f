// One attachment of chrome.debugger to a tab, shared by those who ask at once; it must not know what is asked.
//
// Chrome gives an extension one attachment a tab, and shows a bar as long as it lasts: the first to come attaches, the
// last to go detaches. While it lasts no breakpoint holds the page, and every dialog is handed to who keeps dialogs; while
// a script of ours runs, or if nobody keeps them, it is dismissed: nobody would be there to answer.
// The page's own `debugger;` is skipped; the user's breakpoints, with the developer tools open, are passed.

import { obstacleFrom } from '../../shared/obstacles.ts';
import type { Failure } from '../failure.ts';
import { closedTo } from './access.ts';
import { openTab, type Tab } from './tabs.ts';

export type Dialog = { type: string; message: string };

export type AskingDialog = Dialog & { default_prompt?: string };

export type Keeper = { opened: (dialog: AskingDialog) => void; closed: () => void };

export type Params = Record<string, any>;

/** Told the ids of the scripts on the stack */
export type Paused = (scripts: string[]) => void;

const VERSION = '1.3';

/** The longest text of a dialog that is told. */
const DIALOG_CHARACTERS = 500;

/** Of who runs scripts: without it exceptions come without their stack; `Debugger` must be on before a page hangs: then it is too late. */
const DOMAINS = ['Runtime.enable', 'Debugger.enable'];

const attachments: Map<number, Attachment> = new Map();

const leaving: Map<number, Promise<unknown>> = new Map();

/**
 * An attachment outlives the worker that made it: what a former life held is let go of first. A dialog is dismissed before,
 * for Chrome would leave it open; another client's attachment is not ours to use, and stays.
 */
const letGone = chrome.debugger
  .getTargets()
  .then((targets) =>
    Promise.allSettled(targets.map(({ attached, tabId }) => attached && tabId !== undefined && freed({ tabId }))),
  );

async function freed(target: chrome.debugger.Debuggee) {
  await chrome.debugger.sendCommand(target, 'Page.handleJavaScriptDialog', { accept: false }).catch(() => {}); // there is none
  await chrome.debugger.detach(target);
}

/** Thrown to everyone who waits for an answer from a tab that was let go of. */
export class Detached extends Error {}

/**
 * Attach to a tab, or join who is attached already. Every `attach` needs its `release`.
 * @throws `tab_not_scriptable`, `tab_not_found`
 */
export async function attach(tab: Tab): Promise<Attachment> {
  while (leaving.has(tab.id)) await leaving.get(tab.id);
  const attachment = attachments.get(tab.id) ?? new Attachment(tab);
  attachments.set(tab.id, attachment);
  attachment.users++;
  try {
    await attachment.begun;
  } catch (fault) {
    await attachment.release();
    throw fault;
  }
  return attachment;
}

export class Attachment {
  users = 0;
  /** Who runs a script: its dialogs are dismissed, and listed. */
  hearers: Set<Dialog[]> = new Set();
  /** Who keeps dialogs until they are answered. */
  keepers: Set<Keeper> = new Set();
  scripts: Map<string, string> = new Map();
  #ready: Promise<unknown> | undefined;
  #paused: Paused | undefined;
  #tab;
  #gone = new AbortController();
  readonly begun: Promise<unknown>;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.begun = this.#begin();
  }

  /** Returns settled when scripts can be run in the page */
  get ready(): Promise<unknown> {
    this.#ready ??= this.#prepare();
    return this.#ready;
  }

  /** Returns aborted when the tab is let go of, by whomever */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Call a method of the protocol.
   * @throws Detached the tab was closed, its page crashed, or the user ended the debugging
   */
  ask(method: string, params?: Params): Promise<any> {
    const { signal } = this.#gone;
    return Promise.race([chrome.debugger.sendCommand({ tabId: this.#tab.id }, method, params), ended(signal)]);
  }

  /** Let go, and detach if no one else is there. */
  async release() {
    if (--this.users > 0) return;
    attachments.delete(this.#tab.id);
    const left = this.#leave();
    leaving.set(this.#tab.id, left);
    await left;
    leaving.delete(this.#tab.id);
  }

  /**
   * Stop whatever the page is running, if it runs one of these scripts.
   * @param ours whether a script's name is meant
   * @returns whether it did, and was stopped
   */
  async stop(ours: (url: string) => boolean, boundMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    this.#paused = resolve;
    this.ask('Debugger.pause').catch(() => {});
    const stack = await Promise.race([promise, new Promise<undefined>((done) => setTimeout(done, boundMs, undefined))]);
    this.#paused = undefined; // a pause that comes late is passed
    if (!stack) return false;
    const found = stack.some((id: string) => ours(this.scripts.get(id) ?? ''));
    await this.ask('Debugger.resume', { terminateOnResume: found });
    return found;
  }

  async #begin() {
    const tabId = this.#tab.id;
    chrome.debugger.onEvent.addListener(this.#hear);
    chrome.debugger.onDetach.addListener(this.#detached);
    try {
      await letGone;
      await chrome.debugger.attach({ tabId }, VERSION);
    } catch (fault) {
      throw await refused(this.#tab, (fault as Error).message);
    }
    this.ask('Page.enable').catch(() => {}); // Chrome itself heeds it at once; a page that hangs answers late
  }

  #prepare() {
    const all = [
      ...DOMAINS.map((method) => this.ask(method)),
      this.ask('Debugger.setBreakpointsActive', { active: false }),
    ];
    const ready = Promise.all(all);
    ready.catch(() => {}); // whoever waits for it sees
    return ready;
  }

  async #leave() {
    await chrome.debugger.detach({ tabId: this.#tab.id }).catch(() => {}); // closed, or never attached
    chrome.debugger.onEvent.removeListener(this.#hear);
    chrome.debugger.onDetach.removeListener(this.#detached);
    this.#gone.abort(new Detached('released'));
  }

  #hear: (source: chrome.debugger.Debuggee, method: string, params?: object) => void = ({ tabId }, method, params) => {
    if (tabId === this.#tab.id) this.#events[method]?.(params ?? {});
  };

  #detached: (source: chrome.debugger.Debuggee, reason: string) => void = ({ tabId }, reason) => {
    if (tabId === this.#tab.id) this.#gone.abort(new Detached(reason));
  };

  #events: Record<string, (params: Params) => void> = {
    'Page.javascriptDialogOpening': (params) => {
      const dialog = dialogFrom(params);
      if (!this.hearers.size && this.keepers.size) return this.keepers.forEach((keeper) => keeper.opened(dialog));
      for (const dialogs of this.hearers) dialogs.push({ type: dialog.type, message: dialog.message });
      this.ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => {}); // another client was faster
    },
    'Page.javascriptDialogClosed': () => this.keepers.forEach((keeper) => keeper.closed()),
    'Inspector.targetCrashed': () => this.#gone.abort(new Detached('crashed')),
    'Debugger.scriptParsed': ({ scriptId, url, hasSourceURL }) => {
      if (hasSourceURL) this.scripts.set(scriptId, url);
    },
    'Debugger.paused': ({ callFrames }) => {
      const paused = this.#paused;
      this.#paused = undefined;
      if (paused) paused(callFrames.map((frame: any) => frame.location.scriptId));
      else this.ask('Debugger.resume').catch(() => {}); // another client was faster
    },
  };
}

function dialogFrom({ type, message, defaultPrompt = '' }: Params): AskingDialog {
  const cut = (text: string) => text.slice(0, DIALOG_CHARACTERS).toWellFormed();
  return { type, message: cut(message), ...(type === 'prompt' && { default_prompt: cut(defaultPrompt) }) };
}

/** Returns rejected with the signal's reason */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function refused(tab: Tab, refusal: string): Promise<Failure> {
  const now = await openTab(tab.id);
  return closedTo(now, obstacleFrom(refusal, now.url ?? ''));
}
