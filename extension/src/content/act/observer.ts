// Records what an action changes in the page, and returns it unjudged; it must not wait for anything.
//
// The service worker waits, because the timers of a hidden page fire once a second: it asks for the activity of an action
// until the page is idle, and then collects the record.

import type { Activity } from '../../shared/idle_rule.ts';
import { briefNameOf } from '../dom/naming.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import { type ResourceEntry, resourceOf, type ShiftEntry } from '../dom/resource_timing.ts';
import { treesOf } from '../dom/search.ts';
import { clip, rounded } from '../dom/text.ts';
import { frame, type Requests } from '../frame.ts';
import { errorsSince, type FaultCounts, faultCounts, requestsSince } from '../record/frame_faults.ts';
import { changed, noteRoots } from './changed_subtrees.ts';
import { type Changes, makeChanges } from './changes.ts';
import { lateObservation, observeLateChanges } from './late_changes.ts';
import { type RunScript, scriptOf } from './long_tasks.ts';
import { makeNetChanges, type NetChanges } from './net_changes.ts';
import { pageTask } from './page_turns.ts';
import { lookAtStored, type StoredLook } from './stored_names.ts';
import { type OutcomeWatch, watchOutcome } from './visible_outcome.ts';

/** The longest address that is returned. */
const URL_CHARACTERS = 2_000;

/**
 * The longest that an answer is on its way from the browser to the page, in ms: a busy page gets it late. One that never
 * comes is of a request that the page's wrapped functions did not make: a web worker's.
 */
const ON_ITS_WAY_MS = 150;

/** So many turns of the thread in a row take so long where it is busy: React's tasks are of 5 ms. */
const TURNS = 3;
const TASK_MS = 3;

/** So long after a click a page may still wait for a second one. */
const CLICK_MS = 300;

const SHOWN_AT_ONCE =
  'input:not([type=button], [type=submit], [type=reset], [type=image]), textarea, select, option, label, a[href]:not([href="#"], [href^="javascript:"]), [contenteditable]:not([contenteditable="false"])';

const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  attributeOldValue: true,
  characterData: true,
  characterDataOldValue: true,
};

export interface Observation {
  id: string;
  /** `performance.now()` at its beginning. */
  begun: number;
  /** `performance.now()` at the last change. */
  last: number;
  analyze: boolean;
  /** `performance.now()` until which something may be shown that the action has begun: see `expectLate`. */
  lateUntil: number;
  /** A list was opened and chosen in: its texts are no messages, and it is closing. */
  list: boolean;
  changes: Changes;
  tasks: { start: number; duration: number }[];
  scripts: RunScript[];
  shifts: { value: number; element: string }[];
  /** How long dialogs had held the frame before it, in ms. */
  held: number;
  /** The errors before it. */
  errors: FaultCounts;
  /** The address before it, without its fragment. */
  address: string;
  /** The messages of WebSockets before it. */
  messages: number;
  /** What the frame's scripts had requested before it, where that is known. */
  requests: Requests | undefined;
  /** What was stored before it. */
  stored: StoredLook;
  outcome: OutcomeWatch;
  net: NetChanges;
  /** What changed, where accessibility is asked about. */
  roots: Set<Element> | undefined;
  /** Takes what the observers hold. */
  drain: () => void;
  /** Passes later records to another. */
  handOver: (take: Changes['take']) => void;
  end: () => void;
  /** 1 until a frame was drawn: the page cannot be at rest before. */
  frames: number;
}

/** The observation of the action that is under way: one a tab at a time. */
export let currentObservation: Observation | undefined;

export function observe(id: string, analyze: boolean, a11y: boolean = false): Observation {
  frame.actedIn = true;
  currentObservation?.end();
  lateObservation?.end();
  const stored = lookAtStored();
  const begun = performance.now();
  const changes = makeChanges();
  let takeRecord = changes.take;
  const roots = a11y ? new Set<Element>() : undefined;
  const observation: Observation = {
    id,
    begun,
    last: begun,
    analyze,
    lateUntil: begun,
    list: false,
    changes,
    tasks: [],
    scripts: [],
    shifts: [],
    held: frame.heldMs,
    errors: faultCounts(),
    address: addressNow(),
    messages: frame.relay?.socketMessages() ?? 0,
    requests: frame.relay?.requests(),
    frames: 0,
    stored,
    outcome: watchOutcome(),
    net: makeNetChanges(),
    roots,
    drain,
    handOver,
    end,
  };
  const observer = new MutationObserver(take);
  for (const { root } of treesOf(document)) observer.observe(root, WATCHED);
  const timeline = analyze ? watchTimeline(observation) : undefined;
  if (!document.hidden) {
    observation.frames = 1;
    const drawn = () => {
      observation.frames = 0;
    };
    requestAnimationFrame(() => setTimeout(drawn));
  }

  function take(records: MutationRecord[]) {
    const pageRecords = records.filter((record) => !isOwnRecord(record));
    if (pageRecords.length) observation.last = performance.now();
    for (const record of pageRecords) takeRecord(record);
    if (currentObservation === observation)
      for (const record of pageRecords) {
        observation.outcome.note(record);
        observation.net.note(record);
      }
    if (observation.roots) for (const record of pageRecords) noteRoots(record, observation.roots);
  }
  function drain() {
    take(observer.takeRecords());
    timeline?.drain();
  }
  function handOver(other: Changes['take']) {
    takeRecord = other;
    changed.roots = observation.roots;
    observation.roots = undefined;
    timeline?.end();
    observation.outcome.end();
    if (currentObservation === observation) currentObservation = undefined;
  }
  function end() {
    observer.disconnect();
    timeline?.end();
    observation.outcome.end();
    if (currentObservation === observation) currentObservation = undefined;
  }

  currentObservation = observation;
  return observation;
}

/** Whether the record is of what Gasoline has put into the page. */
function isOwnRecord({ addedNodes, removedNodes }: MutationRecord): boolean {
  const touched = [...addedNodes, ...removedNodes];
  return touched.length > 0 && touched.every(isOurs);
}

function watchTimeline(observation: Observation): { drain: () => void; end: () => void } {
  const take = (entries: PerformanceEntry[]) => {
    for (const entry of entries) {
      if (entry.startTime + entry.duration < observation.begun) continue;
      const { startTime, duration } = entry;
      if (entry.entryType === 'longtask')
        observation.tasks.push({ start: rounded(startTime), duration: rounded(duration) });
      else if (entry.entryType === 'long-animation-frame')
        observation.scripts.push(...(entry as unknown as { scripts: RunScript[] }).scripts);
      else putShift(entry as ShiftEntry);
    }
  };
  const putShift = (entry: ShiftEntry) => {
    observation.shifts.push({ value: entry.value, element: briefNameOf(entry.sources[0]?.node) });
  };
  const observers = ['longtask', 'long-animation-frame', 'layout-shift'].map((type) => {
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type });
    return observer;
  });
  return {
    drain: () => observers.forEach((observer) => take(observer.takeRecords())),
    end: () => observers.forEach((observer) => observer.disconnect()),
  };
}

/**
 * Wait until the page's timers that are due have fired: on a busy machine the worker's question, though it is sent later,
 * comes before them. Ours is due later than each of these, and no page can clear it (own_timers.ts); a hidden page's
 * would fire up to a second late.
 */
export const dueTimers = (): Promise<void> => new Promise((done) => (document.hidden ? done() : setTimeout(done, 1)));

/**
 * Tell whether the page's thread has nothing to do: React draws what is not urgent (a route, most of all) in many short tasks,
 * between which the page answers, and shows nothing of it before the last. A message to itself is taken at once then, also
 * on a machine that is busy otherwise, else once a further task is done, each time.
 */
export async function threadIdle(): Promise<boolean> {
  await pageTask();
  for (let nth = 0; nth < TURNS; nth++) {
    const asked = performance.now();
    await pageTask();
    if (performance.now() - asked < TASK_MS) return true;
  }
  return false;
}

/**
 * Return the activity since an action began: ms since anything happened, ms from its beginning to then, frames that are owed.
 * The query has `id`; and `answered` and `networkQuietMs`, of the frame's scripts' requests that have ended since.
 */
export function activity({ id, answered, networkQuietMs }: Record<string, unknown>): Activity | { gone: true } {
  if (currentObservation?.id !== id) return { gone: true };
  const observation = currentObservation as Observation;
  observation.drain();
  const { begun, last, lateUntil } = observation;
  const isLate = performance.now() < lateUntil || addressNow() !== observation.address; // a router draws what it leads to
  const sockets = frame.relay?.socketAnswers(begun); // the answer is part of what came of it
  const isOwed = sockets?.isPartial || isUnanswered(observation);
  const isOnItsWay = Number(networkQuietMs) < ON_ITS_WAY_MS && owesAnswers(observation, Number(answered));
  return {
    quietMs: performance.now() - Math.max(last, frame.heldUntil, sockets?.answered ?? 0),
    timingMs: rounded(last - begun),
    frames: document.hidden ? 0 : observation.frames,
    awaits:
      isOwed ||
      sockets?.awaits ||
      (isLate && !observation.net.any()) ||
      isOnItsWay ||
      observation.outcome.awaitsDialog(),
    ...(isOwed && { owed: true }),
  }; // a tab that was opened in front hides this one
}

function addressNow(): string {
  return location.href.replace(/#.*/s, '');
}

/**
 * Wait longer for what an action has begun as long as nothing has come of it: menus and tips of a hover come once the
 * pointer stays, and a page that knows double clicks (a tree, a map) does at a click what it does 200 to 300 ms later.
 * What is done to a field, and a link, show at once.
 */
export function expectLate(observation: Observation, action: string, element: Element) {
  if (action === 'hover') observation.lateUntil = Infinity;
  if (action === 'click' && !nodes.closest(element, SHOWN_AT_ONCE))
    observation.lateUntil = observation.begun + CLICK_MS;
}

/**
 * Whether a request of the frame's scripts has no answer. The worker knows of most; of one it may hear late, on a busy
 * machine, and of none that the page's own service worker takes.
 */
function isUnanswered({ requests: before }: Observation): boolean {
  const now = frame.relay?.requests();
  return before !== undefined && now !== undefined && now.answered - before.answered < now.asked - before.asked;
}

/** Whether the browser has answers that the frame's scripts have not got yet. */
function owesAnswers({ requests: before }: Observation, answered: number): boolean {
  const now = frame.relay?.requests();
  return before !== undefined && now !== undefined && now.answered - before.answered < answered;
}

/** Describe what has come of the action so far. */
export function outcomeNow(asked: { field?: Element | undefined; focus?: boolean }): object {
  currentObservation?.drain();
  return currentObservation?.outcome.read({ ...asked, list: currentObservation.list }) ?? {};
}

/** Whether the page is other than it was when the action began. */
export function hasChanged(): boolean {
  currentObservation?.drain();
  return currentObservation?.net.any() ?? false;
}

/** Return `performance.now()` at the last change since the action began. */
export function lastChange(): number {
  currentObservation?.drain();
  return currentObservation?.last ?? 0;
}

/** Return the record of an action; late_changes.ts records what comes after that. */
export function collect({ id }: Record<string, unknown>) {
  if (currentObservation?.id !== id) return { gone: true };
  const observation = currentObservation as Observation;
  observation.drain();
  const { begun, last, held, changes, tasks, scripts, shifts, errors, messages, analyze } = observation;
  return {
    url: clip(location.href, URL_CHARACTERS),
    timing: { start: rounded(begun), end: rounded(last), held: rounded(frame.heldMs - held) },
    mutations: changes.collect(),
    ...errorsSince(errors),
    requests: requestsSince(begun),
    websocket_frames: (frame.relay?.socketMessages() ?? 0) - messages,
    after: observeLateChanges(observation),
    ...(analyze && {
      longTasks: tasks.map((task) => ({ ...task, ...scriptOf(task, scripts) })),
      shifts,
      resources: resourcesSince(begun),
    }),
  };
}

function resourcesSince(begun: number) {
  const entries = performance.getEntriesByType('resource') as ResourceEntry[];
  return entries
    .filter(({ startTime }) => startTime >= begun)
    .slice(-200)
    .map(resourceOf);
}
