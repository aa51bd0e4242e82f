// One attachment of chrome.debugger to a tab, shared by all its users.
//
// Chrome gives an extension one attachment a tab, and shows a bar as long as it lasts: the first user attaches, the last
// one detaches. Every dialog goes to the keepers; while a script of ours runs, or without a keeper or an observer, it is
// dismissed: otherwise it would stay open unanswered.
// The page's own `debugger;` is skipped; while a script of ours runs, and once one had to be stopped, the user's breakpoints,
// with the developer tools open, are passed.

import { aborted } from '../../shared/aborted.ts';
import { obstacleFrom } from '../../shared/obstacles.ts';
import type { Failure } from '../failure.ts';
import { closedTo } from './access.ts';
import { openTab, type Tab } from './tabs.ts';

export type Dialog = { type: string; message: string };

export type AskingDialog = Dialog & { default_prompt?: string };

/** Keeps dialogs open until they are answered. */
export type DialogKeeper = { opened: (dialog: AskingDialog) => void; closed: () => void };

type Params = Record<string, any>;

/** What is to be stopped when the page pauses, by a script's name. */
type Stop = { isOurs: (url: string) => boolean; stopped: (found: Promise<boolean>) => void };

const VERSION = '1.3';

const DIALOG_CHARACTERS = 500;

/** How long a page that is to be paused is kept attached for it: as long as the longest script. */
const PAUSES_MS = 30_000;

const attachments: Map<number, Attachment> = new Map();

/** The attachments that are being detached. */
const leaving: Map<number, Promise<unknown>> = new Map();

/**
 * An attachment outlives the worker that made it: those of an earlier worker are ended first, and a dialog is dismissed
 * before, for Chrome would leave it open. Another client's attachment is not ours to use, and stays.
 */
const earlierEnded = chrome.debugger
  .getTargets()
  .then((targets) =>
    Promise.allSettled(targets.map(({ attached, tabId }) => attached && tabId !== undefined && detach({ tabId }))),
  );

async function detach(target: chrome.debugger.Debuggee) {
  await chrome.debugger.sendCommand(target, 'Page.handleJavaScriptDialog', { accept: false }).catch(() => {}); // no dialog is open
  await chrome.debugger.detach(target);
}

/** Thrown to all that wait for an answer from a tab that was detached. */
export class Detached extends Error {}

/** Attach to a tab, or share its attachment. Every `attach` needs its `release`. */
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
  /** One list for each running script: dialogs are dismissed and added to it. */
  dialogLists: Set<Dialog[]> = new Set();
  keepers: Set<DialogKeeper> = new Set();
  /** Sees the dialogs for which there is no keeper, and leaves them to the user. */
  dialogObserver: DialogKeeper | undefined;
  /** Called at each line of the page's console while no script of ours runs. */
  onLine: (() => unknown) | undefined;
  /** It outlasts a script: another client may come meanwhile, unnoticed. */
  isKept = false;
  scripts: Map<string, string> = new Map();
  #runs: Promise<unknown> | undefined;
  #guarded: Promise<unknown> | undefined;
  #stops: Stop[] = [];
  /** A pause of ours may come late. */
  #hasPaused = false;
  #tab;
  #shared = false;
  #gone = new AbortController();
  readonly begun: Promise<unknown>;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.begun = this.#begin();
  }

  /** Settled when scripts can be run in the page, and an exception has its stack. */
  get runs(): Promise<unknown> {
    this.#runs ??= kept(this.ask('Runtime.enable'));
    return this.#runs;
  }

  /**
   * Settled when what a script leaves behind can be stopped, which cannot begin while a page hangs. For this Chrome sends
   * the names of all scripts of the page: 20 ms on a small one.
   */
  get guarded(): Promise<unknown> {
    this.#guarded ??= kept(
      Promise.all([this.ask('Debugger.enable'), this.ask('Debugger.setBreakpointsActive', { active: false })]),
    );
    return this.#guarded;
  }

  /** Whether another client may be attached too, such as the developer tools: its breakpoints hold what is not guarded. */
  get isShared(): boolean {
    return this.#shared || this.isKept;
  }

  /** Add a user, who has to `release` it. */
  share() {
    this.users++;
  }

  /** Aborted when the tab is detached, by us, Chrome or the user. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Call a method of the protocol; throws `Detached` if the tab is closed or crashes, or the user ends the debugging. */
  ask(method: string, params?: Params): Promise<any> {
    const { signal } = this.#gone;
    return Promise.race([chrome.debugger.sendCommand({ tabId: this.#tab.id }, method, params), aborted(signal)]);
  }

  /** Detach, unless others use the attachment. */
  async release() {
    if (--this.users > 0) return;
    attachments.delete(this.#tab.id);
    const left = this.#leave();
    leaving.set(this.#tab.id, left);
    await left;
    leaving.delete(this.#tab.id);
  }

  /**
   * Stop what the page is running if one of its scripts is ours, by name; give whether that was done within `boundMs`. A
   * page that pauses later, as after a synchronous request or on a busy machine, is stopped then.
   */
  stop(isOurs: (url: string) => boolean, boundMs: number): Promise<boolean> {
    const found: Promise<boolean> = new Promise((stopped) => this.#stops.push({ isOurs, stopped }));
    this.#hasPaused = true;
    this.ask('Debugger.pause').catch(() => {});
    const within = (ms: number) => new Promise<false>((done) => setTimeout(done, ms, false));
    this.share();
    void Promise.race([found, within(PAUSES_MS), aborted(this.gone)])
      .catch(() => {})
      .then(() => this.release());
    return Promise.race([found, within(boundMs)]);
  }

  async #begin() {
    const tabId = this.#tab.id;
    chrome.debugger.onEvent.addListener(this.#onEvent);
    chrome.debugger.onDetach.addListener(this.#onDetach);
    try {
      await earlierEnded;
      const targets = await chrome.debugger.getTargets();
      this.#shared = targets.some((one) => one.tabId === tabId && one.attached);
      await chrome.debugger.attach({ tabId }, VERSION);
    } catch (fault) {
      throw await refused(this.#tab, (fault as Error).message);
    }
    this.ask('Page.enable').catch(() => {}); // Chrome itself acts on it at once; a page that hangs answers late
  }

  async #leave() {
    await chrome.debugger.detach({ tabId: this.#tab.id }).catch(() => {}); // closed, or never attached
    chrome.debugger.onEvent.removeListener(this.#onEvent);
    chrome.debugger.onDetach.removeListener(this.#onDetach);
    this.#gone.abort(new Detached('released'));
  }

  #onEvent: (source: chrome.debugger.Debuggee, method: string, params?: object) => void = (
    { tabId },
    method,
    params,
  ) => {
    if (tabId === this.#tab.id) this.#events[method]?.(params ?? {});
  };

  #onDetach: (source: chrome.debugger.Debuggee, reason: string) => void = ({ tabId }, reason) => {
    if (tabId === this.#tab.id) this.#gone.abort(new Detached(reason));
  };

  get #runsScript(): boolean {
    return this.dialogLists.size > 0;
  }

  #events: Record<string, (params: Params) => void> = {
    'Page.javascriptDialogOpening': (params) => {
      const dialog = dialogFrom(params);
      if (!this.#runsScript) {
        if (this.keepers.size) return this.keepers.forEach((keeper) => keeper.opened(dialog));
        if (this.dialogObserver) return this.dialogObserver.opened(dialog);
      }
      for (const dialogs of this.dialogLists) dialogs.push({ type: dialog.type, message: dialog.message });
      this.ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => {}); // another client was faster
    },
    'Page.javascriptDialogClosed': () => {
      this.keepers.forEach((keeper) => keeper.closed());
      this.dialogObserver?.closed();
    },
    'Runtime.consoleAPICalled': () => !this.#runsScript && this.onLine?.(),
    'Runtime.executionContextsCleared': () => this.scripts.clear(),
    'Inspector.targetCrashed': () => this.#gone.abort(new Detached('crashed')),
    'Debugger.scriptParsed': ({ scriptId, url, hasSourceURL }) => {
      if (hasSourceURL) this.scripts.set(scriptId, url);
    },
    'Debugger.paused': ({ callFrames }) => {
      if (!this.#hasPaused && !this.#runsScript) return; // by the user's developer tools
      const names = callFrames.map((frame: any) => this.scripts.get(frame.location.scriptId) ?? '');
      const stops = this.#stops.splice(0).map((stop) => ({ ...stop, found: names.some(stop.isOurs) }));
      const resumed = this.ask('Debugger.resume', { terminateOnResume: stops.some(({ found }) => found) });
      resumed.catch(() => {}); // another client was faster
      for (const { stopped, found } of stops) stopped(resumed.then(() => found));
    },
  };
}

/** A promise that may be rejected before it is awaited. */
function kept<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

function dialogFrom({ type, message, defaultPrompt = '' }: Params): AskingDialog {
  const cut = (text: string) => text.slice(0, DIALOG_CHARACTERS).toWellFormed();
  return { type, message: cut(message), ...(type === 'prompt' && { default_prompt: cut(defaultPrompt) }) };
}

async function refused(tab: Tab, refusal: string): Promise<Failure> {
  const now = await openTab(tab.id);
  return closedTo(now, obstacleFrom(refusal, now.url ?? ''));
}
