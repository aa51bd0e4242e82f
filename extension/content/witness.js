// Watches what an action does to the page, and gives it as it was; it must not judge, shorten words or wait for anything.
//
// Waits are the service worker's: a hidden page's timers come once a second. It asks for the `pulse` of an action until
// the page has come to rest, and then for what was seen.

'use strict';

/** The longest address that is told. */
var URL_CHARACTERS = 2_000;

/** @type {MutationObserverInit} */
var WATCHED = {
  subtree: true,
  childList: true,
  attributes: true,
  attributeOldValue: true,
  characterData: true,
  characterDataOldValue: true,
};

/**
 * @typedef {object} Witness
 * @property {string} id
 * @property {number} begun  performance.now()
 * @property {number} last  when something happened last
 * @property {boolean} analyze
 * @property {Changes} changes
 * @property {{start: number, duration: number}[]} tasks
 * @property {{value: number, element: string}[]} shifts
 * @property {number} errors  those on the console before it
 * @property {StoredLook} stored  what was stored before it
 * @property {Set<Element> | undefined} roots  what changed, where accessibility is asked about
 * @property {() => void} drain  takes what the observers hold
 * @property {(take: Changes['take']) => void} handOver  what comes from now on is another's
 * @property {() => void} end
 * @property {number} frames  that are still owed
 */

/** @type {Witness | undefined}  of the action that is under way: one a tab at a time */
var witness;

/** @type {boolean | undefined}  its load is told when it is left: an action may lead away, and back */
var wasActedIn;

/**
 * @param {string} id
 * @param {boolean} analyze
 * @param {boolean} [a11y]
 * @returns {Witness}
 */
function watch(id, analyze, a11y = false) {
  wasActedIn = true;
  witness?.end();
  aftermath?.end();
  const stored = lookAtStored();
  const begun = performance.now();
  const changes = makeChanges();
  let takeRecord = changes.take;
  const roots = a11y ? new Set() : undefined;
  /** @type {Witness} */
  const seen = { id, begun, last: begun, analyze, changes, tasks: [], shifts: [], errors: errorsSeen(), frames: 0, stored, roots, drain, handOver, end };
  const observer = new MutationObserver(take);
  for (const { root } of treesOf(document)) observer.observe(root, WATCHED);
  const timeline = analyze ? watchTimeline(seen) : undefined;
  if (!document.hidden) {
    seen.frames = 1;
    requestAnimationFrame(() => setTimeout(() => (seen.frames = 0)));
  }

  /** @param {MutationRecord[]} records */
  function take(records) {
    const told = records.filter((record) => !isOwnRecord(record));
    if (told.length) seen.last = performance.now();
    for (const record of told) takeRecord(record);
    if (seen.roots) for (const record of told) noteRoots(record, seen.roots);
  }
  function drain() {
    take(observer.takeRecords());
    timeline?.drain();
  }
  /** @param {Changes['take']} other */
  function handOver(other) {
    takeRecord = other;
    changedRoots = seen.roots;
    seen.roots = undefined;
    timeline?.end();
    if (witness === seen) witness = undefined;
  }
  function end() {
    observer.disconnect();
    timeline?.end();
    if (witness === seen) witness = undefined;
  }

  witness = seen;
  return seen;
}

/**
 * @param {MutationRecord} record
 * @returns {boolean}  it is of what Gasoline has put into the page
 */
function isOwnRecord({ addedNodes, removedNodes }) {
  const touched = [...addedNodes, ...removedNodes];
  return touched.length > 0 && touched.every(isOurs);
}

/**
 * @param {Witness} seen
 * @returns {{drain: () => void, end: () => void}}
 */
function watchTimeline(seen) {
  /** @param {PerformanceEntry[]} entries */
  const take = (entries) => {
    for (const entry of entries) {
      if (entry.startTime + entry.duration < seen.begun) continue;
      const { startTime, duration } = entry;
      if (entry.entryType === 'longtask') seen.tasks.push({ start: rounded(startTime), duration: rounded(duration) });
      else putShift(/** @type {ShiftEntry} */ (entry));
    }
  };
  /** @param {ShiftEntry} entry */
  const putShift = (entry) => {
    seen.shifts.push({ value: entry.value, element: briefNameOf(entry.sources[0]?.node) });
  };
  const observers = ['longtask', 'layout-shift'].map((type) => {
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
 * Answer how an action stands: ms since anything happened, ms from its beginning to then, frames that are owed.
 * @param {Record<string, unknown>} query
 */
function pulse({ id }) {
  if (witness?.id !== id) return { gone: true };
  const seen = /** @type {Witness} */ (witness);
  seen.drain();
  const now = performance.now();
  return { quietMs: now - seen.last, timingMs: rounded(seen.last - seen.begun), frames: document.hidden ? 0 : seen.frames }; // a tab that was opened in front hides this one
}

/**
 * Answer what was seen of an action; what comes later is its aftermath.
 * @param {Record<string, unknown>} query
 */
function seenOf({ id }) {
  if (witness?.id !== id) return { gone: true };
  const seen = /** @type {Witness} */ (witness);
  seen.drain();
  const { begun, last, changes, tasks, shifts, errors, analyze } = seen;
  return {
    url: clip(location.href, URL_CHARACTERS),
    timing: { start: rounded(begun), end: rounded(last) },
    mutations: changes.told(),
    console_errors: errorsSeen() - errors,
    after: watchAftermath(seen),
    ...(analyze && { longTasks: tasks, shifts, resources: resourcesSince(begun) }),
  };
}

/** @param {number} begun */
function resourcesSince(begun) {
  const entries = /** @type {ResourceEntry[]} */ (performance.getEntriesByType('resource'));
  return entries.filter(({ startTime }) => startTime >= begun).slice(-200).map(resourceOf);
}
