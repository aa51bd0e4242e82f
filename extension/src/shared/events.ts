// The events that the extension captures, as they travel to the server: their types, and the one list of their kinds.
//
// tests/wire/link-up-events.json has one of each.
//
// The names of the fields are those of seed 002's JSON lines. What is absent is unknown or does not apply.

import type { Annotation, AnnotationStatus } from './annotations.ts';
import type { AuditEntry } from './pilot.ts';

/** Of every event. `ts`: when it began, in milliseconds since the epoch. */
type Timed = { ts: number };

/**
 * A line of the console. `args`: its arguments as JSON, objects cut by depth and size, a format already applied;
 * `method`: the method, where it is not the level; `source`: url:line:column.
 */
type ConsoleEvent = Timed & {
  type: 'console';
  level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  args: unknown[];
  method?: string;
  source?: string;
  stack?: string;
  truncated?: true;
};

/**
 * Something went wrong. `target`: what could not be loaded, or was blocked; `tag`: the element that wanted it;
 * `directive`: of the policy that blocked it.
 */
type ErrorEvent = Timed & {
  type: 'error';
  kind: 'error' | 'rejection' | 'resource' | 'csp';
  message: string;
  name?: string;
  stack?: string;
  source?: string;
  target?: string;
  tag?: string;
  directive?: string;
  report_only?: true;
  truncated?: true;
};

/**
 * An event of a WebSocket. `id`: of the connection; `size`: of the message, in bytes; above 64 KB,
 * its characters; `bytes`: of a short binary message, in hexadecimal digits, for the bridge alone.
 */
type WebSocketEvent = Timed & {
  type: 'websocket';
  event: 'open' | 'message' | 'close' | 'error';
  id: string;
  url: string;
  direction?: 'incoming' | 'outgoing';
  data?: string;
  size?: number;
  bytes?: string;
  truncated?: true;
  code?: number;
  reason?: string;
};

/**
 * A request that a script made, captured when its answer's head is there, or it failed (`status` 0, with `error`).
 * `duration` in ms; sizes in bytes (of a text above 64 KB, its characters), where they are known; no sensitive header
 * is among the headers.
 */
export type NetworkEvent = Timed & {
  type: 'network';
  api: 'fetch' | 'xhr' | 'beacon' | 'eventsource';
  method: string;
  url: string;
  status: number;
  duration: number;
  requestSize?: number;
  responseSize?: number;
  contentType?: string;
  requestHeaders?: Record<string, string>;
  responseHeaders?: Record<string, string>;
  error?: string;
};

/** A request of a script that has no answer OPEN_MS after it began (page/http.ts); its `network` has the same `ts`. */
type RequestEvent = Timed & { type: 'request'; api: 'fetch' | 'xhr'; method: string; url: string };

/**
 * The bodies of a request that a script made; captured only while the human has switched that on. In place of a body
 * that was not read, for the page did not or while this was off: '[Not read]'.
 */
type BodyEvent = Timed & {
  type: 'network_body';
  api: 'fetch' | 'xhr' | 'beacon';
  method: string;
  url: string;
  status: number;
  duration: number;
  requestBody: string | null;
  responseBody: string | null;
  contentType: string | null;
  requestHeaders?: Record<string, string>;
  responseHeaders?: Record<string, string>;
  truncated?: true;
};

/**
 * A resource that was loaded, as Resource Timing has it. `start`, `duration`, `ttfb` in ms, `start` since the
 * navigation; sizes in bytes, absent where the other origin hides them (no Timing-Allow-Origin).
 */
export type ResourceEvent = Timed & {
  type: 'resource';
  url: string;
  initiator: string;
  start: number;
  duration: number;
  ttfb?: number;
  status?: number;
  transferSize?: number;
  encodedSize?: number;
  decodedSize?: number;
  protocol?: string;
  cached?: true;
  renderBlocking?: true;
};

/**
 * A Web Vital of this load, each time its value changes: the last one counts. `value`: ms, or a score (CLS).
 * `element`: a selector of what caused it; `interaction`: the kind of event (INP).
 */
type VitalEvent = Timed & {
  type: 'vital';
  name: 'LCP' | 'CLS' | 'INP' | 'FCP' | 'TTFB';
  value: number;
  rating: 'good' | 'needs-improvement' | 'poor';
  element?: string;
  interaction?: string;
  hidden?: true;
};

/**
 * An entry of the performance timeline. `start`, `duration` in ms, `start` since the navigation; `value`: of a layout
 * shift; `element`: a selector of what shifted, or was acted on; `detail`: of a mark or a measure, as JSON, cut.
 */
type TimingEvent = Timed & {
  type: 'timing';
  entry: 'mark' | 'measure' | 'longtask' | 'layout-shift' | 'event';
  name: string;
  start: number;
  duration: number;
  value?: number;
  element?: string;
  detail?: string;
};

/**
 * A page load in numbers, when it is over, and again when they have changed at its end (seed 001, PageLoadMetrics).
 * Times in ms since the navigation; `transferSize` in bytes; `hidden`: it was never visible, so it was never painted.
 */
export type PerformanceSnapshot = Timed & {
  type: 'performance';
  url: string;
  navigation: string;
  timing: { ttfb: number; fcp: number | null; lcp: number | null; domContentLoaded: number; load: number };
  cls: number;
  transferSize: number;
  requestCount: number;
  longTaskCount: number;
  totalBlockingTime: number;
  hidden?: true;
};

/**
 * What the user did. `value`: what was entered, of a field that is not sensitive; `key`: of a key that is no character.
 */
type ActionEvent = Timed & {
  type: 'action';
  action: 'click' | 'input' | 'key' | 'scroll' | 'submit';
  selector: string;
  tag?: string;
  text?: string;
  value?: string;
  key?: string;
  x?: number;
  y?: number;
};

/** How a test finds an element again, as Playwright does (https://playwright.dev/docs/locators); `css` is content/dom/naming.ts's. */
export type Locator =
  | { by: 'role'; role: string; name: string }
  | { by: 'label' | 'testid' | 'text'; text: string }
  | { by: 'css'; css: string };

/**
 * Where a step went. `frames`: selectors of the frames around it, the outermost first; `frame_url`: the address of the
 * outermost one that can be seen from there, if that is not the page; `closed`: it was within a closed shadow root.
 */
export type Target = { locator?: Locator; frames?: string[]; frame_url?: string; closed?: true };

/**
 * What the user or an assistant did, as a test does it again (content/record/); `act`: as interact names it. `value`: what a field held then, `secret`:
 * it is not recorded; `cut`: it is longer; `field`: what kind of field. `typed_ms`: for how long from then on it was typed. `keys`: characters
 * outside of a field, which are not recorded.
 */
export type StepEvent = Timed &
  Target & {
    type: 'step';
    by: 'user' | 'assistant';
    act: string;
    field?: 'text' | 'set' | 'select' | 'check' | 'file' | 'rich' | 'editor';
    value?: string;
    secret?: true;
    cut?: true;
    typed_ms?: number;
    values?: string[];
    checked?: boolean;
    files?: string[];
    pressed?: string;
    button?: string;
    count?: number;
    modifiers?: string;
    place?: { x: number; y: number };
    to?: Target;
    by_px?: { x: number; y: number };
    wanted?: string;
    state?: string;
    attribute?: string;
  };

/** A step without its time and its place. */
export type Recorded = Omit<StepEvent, 'ts' | 'type' | 'by' | keyof Target>;

/**
 * What came of the step that began at `of`, as far as it can be expected again: texts that came into sight or went out of it;
 * of a new page its title and its heading. A later one of the same step replaces the earlier one.
 */
export type ResultEvent = Timed & {
  type: 'result';
  of: number;
  shown?: (Target & { text: string })[];
  gone?: string[];
  title?: string;
  heading?: string;
};

/** A dialog of the page was closed. `answer`: what was entered; `secret`: that is not recorded. */
export type DialogEvent = Timed & {
  type: 'dialog';
  dialog: string;
  message: string;
  accepted: boolean;
  answer?: string;
  secret?: true;
};

/** A page, or a route of a page, began. */
export type NavigationEvent = Timed & {
  type: 'navigation';
  navigation: 'navigate' | 'reload' | 'back_forward' | 'push' | 'replace' | 'traverse' | 'hash';
  url: string;
  from?: string;
};

/**
 * What was not captured: how many events of a type, and why (`rate`: too many a second; `space`: no room to keep them).
 */
export type DroppedEvent = Timed & { type: 'dropped'; of: string; count: number; why: 'rate' | 'space' };

/** What the human has set, and where: from the service worker, with tab 0. Ids of tabs, or null. */
export type StateEvent = Timed & {
  type: 'state';
  front: number | null;
  tracked: number | null;
  websockets: boolean;
  bodies: boolean;
  allTabs: boolean;
};

/**
 * A call that acted, or was refused: from the service worker, with tab 0; `tab` is the one that it acted in. No values.
 */
export type AuditEvent = Timed & { type: 'audit' } & Omit<AuditEntry, 'id' | 'ts'>;

/** A page opened a tab: from the service worker, with tab 0. Ids of tabs. */
export type OpenedEvent = Timed & { type: 'opened'; tab: number; opened: number };

export type EffectStorage = {
  area: 'localStorage' | 'sessionStorage' | 'cookie';
  change: 'set' | 'changed' | 'removed';
  names: string[];
  omitted?: number;
  late?: true;
};

export type EffectRequest = {
  url: string;
  method: string;
  kind: string;
  after_ms: number;
  status?: number;
  duration_ms?: number;
  error?: string;
};

/** A file that Chrome has saved, or is saving. `late`: it was not complete when the action's reply was sent. */
export type SavedFile = {
  name: string;
  bytes: number;
  path?: string;
  state?: 'in_progress' | 'interrupted' | 'waits_for_user';
  error?: string;
  late?: true;
};

/**
 * What an action caused: from the service worker, with tab 0; `tab` is the one that it acted in. `ts`: when it began,
 * by the page's clock; times in ms since then. `settled`: as its reply was sent, `ended`: all. `dom`: what changed
 * after the reply; `opened_tabs`, `blocked`: windows that came, and what Chrome did not do, also late; `omitted`: requests that are left out. `uncaptured`: nothing of the tab may be kept.
 */
export type EffectEvent = Timed & {
  type: 'effect';
  phase: 'settled' | 'ended';
  id: string;
  action: string;
  tab: number;
  settled_ms: number;
  window_ms?: number;
  requests?: EffectRequest[];
  omitted?: number;
  storage?: EffectStorage[];
  downloads?: SavedFile[];
  opened_tabs?: number[];
  blocked?: string[];
  dom?: object;
  uncaptured?: true;
};

/**
 * A session of Draw Mode: from the service worker, with tab 0; `tab` is the one that was drawn in. It is `drawn` with each
 * change; the newest event has all annotations. `id`: of the session; `client_id`: of the assistant's session that asked
 * for it; `duration_ms`: how long it was open. `answered`: an assistant's answer to one annotation.
 */
export type DrawingEvent = Timed & {
  type: 'drawing';
  phase: 'begun' | 'drawn' | 'ended' | 'answered';
  id: string;
  tab: number;
  page_url: string;
  client_id?: string;
  name?: string;
  annotations?: Annotation[];
  duration_ms?: number;
  warning?: 'page_navigated' | 'draw_mode_timeout';
  correlation_id?: string;
  status?: AnnotationStatus;
  reply?: string;
};

export type CapturedEvent =
  | ConsoleEvent
  | ErrorEvent
  | WebSocketEvent
  | NetworkEvent
  | RequestEvent
  | BodyEvent
  | ResourceEvent
  | VitalEvent
  | TimingEvent
  | PerformanceSnapshot
  | ActionEvent
  | NavigationEvent
  | DrawingEvent
  | StepEvent
  | ResultEvent
  | DialogEvent
  | OpenedEvent
  | DroppedEvent
  | StateEvent
  | AuditEvent
  | EffectEvent;

/** An event that may have no time yet. */
export type Untimed<E extends Timed> = E extends Timed ? Omit<E, 'ts'> & { ts?: number } : never;

/**
 * Events of one page load, in order, as a content script hands them on. `id` (32 hex digits): a chunk that comes twice
 * is stored once; `load` (8 hex digits): of the document; `page`: its address.
 */
export type Chunk = { id: string; load: string; page: string; events: CapturedEvent[] };

/** `frame`: 0 for the page's own. */
export type PlacedChunk = Chunk & { tab: number; frame: number };

/** What is to be captured in a tab, as the service worker sends it to its content scripts. */
export type Capture = { on: boolean; websockets: boolean; bodies: boolean };

/** Every kind of event, and where it is captured. Some of a kind of the page's own world come from content scripts, too. */
const CAPTURED_IN: Record<CapturedEvent['type'], 'page_world' | 'content_script' | 'service_worker'> = {
  action: 'content_script',
  audit: 'service_worker',
  console: 'page_world',
  dialog: 'content_script',
  drawing: 'service_worker',
  dropped: 'page_world',
  effect: 'service_worker',
  error: 'page_world',
  navigation: 'content_script',
  network: 'page_world',
  network_body: 'page_world',
  opened: 'service_worker',
  performance: 'content_script',
  request: 'page_world',
  resource: 'content_script',
  result: 'content_script',
  state: 'service_worker',
  step: 'content_script',
  timing: 'content_script',
  vital: 'content_script',
  websocket: 'page_world',
};

/** Whether the page's own world may send events of this kind. */
export function isPageWorldKind(kind: unknown): boolean {
  return worldOf(kind) === 'page_world';
}

/** Whether content scripts may send events of this kind, their own and those of the page's world. */
export function isPageKind(kind: unknown): boolean {
  const world = worldOf(kind);
  return world === 'page_world' || world === 'content_script';
}

function worldOf(kind: unknown) {
  return typeof kind === 'string' && Object.hasOwn(CAPTURED_IN, kind)
    ? CAPTURED_IN[kind as CapturedEvent['type']]
    : undefined;
}
