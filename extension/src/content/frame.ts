// The state that all scripts of one frame share in the isolated world; it must hold no code that decides anything.
//
// A frame has several bundles, each with its own copy of every module that it uses, and any of them may be injected again.
// So a module that two bundles use keeps no state of its own: it keeps it here. The first script of a frame makes this
// object; the service worker and same-origin frames reach it as `globalThis.gasoline`. No page sees this world.

import type { PageRequest } from '../shared/counted_faults.ts';
import type { Capture, CapturedEvent, Chunk, Recorded, Untimed } from '../shared/events.ts';

/** An error that is an answer: the service worker passes it on as it stands. */
export type Fault = { code: string; message: string; details?: Record<string, unknown>; recovery?: string };

/** The arguments of a command, which the front has checked (bridge/gasoline_bridge/front/arguments.py). */
export type Query = Record<string, any>;

/** Its promise is awaited. */
export type MessageHandler = (query: Query) => object;

export type Listener = { type: string; handle: (event: any) => void; options: AddEventListenerOptions };

/** The queue of this frame's events on their way to the service worker. */
export type Relay = {
  capture: (event: Untimed<CapturedEvent>) => void;
  /** Sets what is to be captured before the service worker can state it. */
  preset: (part: Partial<Capture>) => void;
  /** Asks the service worker what is to be captured here; resolved once it has answered. */
  ask: () => Promise<void>;
  /** Sends what is queued, and returns copies of all chunks that have no reply yet. */
  flush: () => Chunk[];
  /** The number of errors captured in this frame so far, those on its console included. */
  faults: () => number;
  /** How many there were since so many, and the texts of the last of them. */
  faultsSince: (before: number) => { count: number; texts: { text: string; place: string }[] };
  /** The number of messages of WebSockets captured in this frame so far. */
  socketMessages: () => number;
  /** What there is of the answers to what WebSockets have sent since `performance.now()` was so much. */
  socketAnswers: (begun: number) => SocketAnswers;
  /** What the frame's scripts have requested so far; undefined where that is not captured. */
  requests: () => Requests | undefined;
  /** The last requests of the frame's scripts that are over. */
  ended: () => PageRequest[];
};

/**
 * When the last message of WebSockets' answers came, as `performance.now()`; whether an answer is to come; whether one has
 * come of which the rest is to come.
 */
export type SocketAnswers = { answered: number; awaits: boolean; isPartial: boolean };

/** How many requests there were, and how many were answered. */
export type Requests = { asked: number; answered: number };

/** What is known of the assistant's real presses in this frame. */
export type PressGuard = {
  /** Whether an event with this path hits what is meant. */
  isMeant: (path: EventTarget[]) => boolean;
  /** `performance.now()`; later nothing is kept from the page: it may be the human's. */
  until: number;
  landed: EventTarget | undefined;
  /** A click came of the press. */
  clicked: boolean;
  /** The pointer has come over what is meant. */
  reached: boolean;
  /** What was hit by a press that was kept from the page. */
  missed: EventTarget | undefined;
};

/**
 * What the page asked of the browser. `window`: one that Chrome did not open, or that is `unsure`, for the page gets no
 * window that is `noopener`; `permission`: `status` is its state, as far as the browser knows the permission.
 */
export type UserPrompt = { at: number } & (
  | { is: 'window'; url: string; unsure: boolean }
  | { is: 'permission'; permission: string; status: PermissionStatus | undefined }
);

type LoadTotals = { requests: number; transferSize: number; longTasks: number; blockingMs: number };

/**
 * The slowest interaction with this page, in ms and in its three parts (https://web.dev/articles/inp). `source`: real input
 * by Event Timing; what a script sends has none, and is timed by our own clock.
 */
export type SlowestInteraction = {
  ms: number;
  selector: string;
  event: string;
  delay_ms: number;
  run_ms: number;
  paint_ms: number;
  script?: string;
  source: 'event_timing' | 'own_clock';
};

type Frame = {
  /** The bundles that have started. */
  started: Set<string>;
  /** This world's scripts came after the page's own: messages from the page's world may be forged. */
  injectedLate: boolean;
  /** The user keeps Gasoline out of this frame's site; undefined while that is not known, as the scripts came late. */
  excluded: boolean | undefined;
  /** Removes what is drawn in a page once its site is excluded. */
  removeDrawing: (() => void) | undefined;
  listeners: Listener[];
  handlers: Record<string, MessageHandler>;
  /** Answers a question of the service worker, with what the frame has captured until then and how many frames it has. */
  answer: ((question: { name: string; arguments: Query }) => unknown) | undefined;
  relay: Relay | undefined;
  /** Begins to record what an assistant does to an element; what it returns is called once that is done. */
  beginStep: ((element: Element | null) => (step: Recorded) => void) | undefined;
  /** Waits until what came of the last step is captured, and gives what `flush` of the relay gives then. */
  settled: (() => Promise<Chunk[]>) | undefined;
  /** What Gasoline itself has put into the page, for as long as it is there. */
  ownNodes: Set<Node>;
  /** Hides or shows each of Gasoline's overlays. */
  overlays: Set<(shown: boolean) => void>;
  /** Finds and hides the fields that no picture may show; there once its bundle is. */
  secrets:
    | { selectors: () => string[]; hideInShadows: (css: string | null) => void; isAnyShown: () => boolean }
    | undefined;
  /** The fields that were sensitive once. */
  sensitiveFields: WeakSet<Element>;
  /** Sees fields change their type. */
  typeObserver: MutationObserver | undefined;
  pressGuard: PressGuard | undefined;
  /** `performance.now()` until which real input in this tab is the assistant's. */
  ownInputUntil: number;
  setOwnInput: ((on: boolean, anywhere?: boolean) => void) | undefined;
  humanIdleMs: (() => number | null) | undefined;
  /** Takes the input of the page that an overlay is on. */
  takeInput: ((event: Event) => void) | undefined;
  holdEarlyDialogs: (() => void) | undefined;
  /** The last ones, the newest at the end. */
  prompts: UserPrompt[];
  loadTotals: LoadTotals;
  slowest: SlowestInteraction | undefined;
  /** An action was done in this page: its load is sent when it is left, for the action may lead away, and back. */
  actedIn: boolean;
  /** How long dialogs have held this frame, in ms. */
  heldMs: number;
  /** When the last one was closed, by `performance.now()`. */
  heldUntil: number;
  /** Answers a question of an analysis; there once its bundle is. */
  analysis: ((name: string, query: Query) => Promise<object>) | undefined;
  /** Settled when axe does not run in this frame: it refuses a second run. */
  axeRun: Promise<unknown>;
  /** By `performance.now()`. */
  axeRuns: { begun: number; ended: number }[];
  audit: Record<'hasOwnFrames' | 'auditBefore' | 'auditAfter', () => unknown> | undefined;
};

const world = globalThis as typeof globalThis & { gasoline?: Frame };

const made: Frame = {
  started: new Set(),
  injectedLate: false,
  excluded: false,
  removeDrawing: undefined,
  listeners: [],
  handlers: Object.create(null),
  answer: undefined,
  relay: undefined,
  beginStep: undefined,
  settled: undefined,
  ownNodes: new Set(),
  overlays: new Set(),
  secrets: undefined,
  sensitiveFields: new WeakSet(),
  typeObserver: undefined,
  pressGuard: undefined,
  ownInputUntil: -1,
  setOwnInput: undefined,
  humanIdleMs: undefined,
  takeInput: undefined,
  holdEarlyDialogs: undefined,
  prompts: [],
  loadTotals: { requests: 0, transferSize: 0, longTasks: 0, blockingMs: 0 },
  slowest: undefined,
  actedIn: false,
  heldMs: 0,
  heldUntil: 0,
  analysis: undefined,
  axeRun: Promise.resolve(),
  axeRuns: [],
  audit: undefined,
};

// an own property: an element of the page with this id would be found in its place
if (!Object.hasOwn(world, 'gasoline')) Object.defineProperty(world, 'gasoline', { value: made });

export const frame = world.gasoline as Frame;

/** Start a bundle's part once in this frame, however often it is injected. */
export function startOnce(name: string, start: () => void) {
  if (frame.started.has(name)) return;
  frame.started.add(name);
  start();
}

/** Start the parts of a bundle, each by itself: one that fails here leaves the others. Its error goes to the console. */
export function startEach(...parts: (() => void)[]) {
  for (const start of parts) {
    try {
      start();
    } catch (fault) {
      reportError(fault);
    }
  }
}

/** Return the state of another frame of this origin, if it has any. */
export function frameOf(window: Window | null): Frame | undefined {
  return window ? Object.getOwnPropertyDescriptor(window, 'gasoline')?.value : undefined;
}
