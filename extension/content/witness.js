// Watches what an action does to the page, and gives it as it was; it must not judge, shorten words or wait for anything.
//
// Waits are the service worker's: a hidden page's timers come once a second. It asks for the `pulse` of an action until
// the page has come to rest, and then for what was seen.

'use strict';

/** The most mutations that are kept for one action: their collapse takes 5 ms for 5,000 (facts, DOM). */
var MUTATIONS = 2_000;

/** The longest text, attribute and selector of a mutation. */
var SAMPLE = 60;

/**
 * @typedef {object} Witness
 * @property {string} id
 * @property {number} begun  performance.now()
 * @property {number} last  when something happened last
 * @property {boolean} analyze
 * @property {unknown[]} records
 * @property {number} lost  mutations beyond those kept
 * @property {{startTime: number, duration: number}[]} tasks
 * @property {{value: number, startTime: number, element: string}[]} shifts
 * @property {() => void} drain  takes what the observers hold
 * @property {() => void} end
 * @property {number} frames  that are still owed
 */

/** @type {Witness | undefined}  of the action that is under way: one a tab at a time */
var witness;

/**
 * @param {string} id
 * @param {boolean} analyze
 * @returns {Witness}
 */
function watch(id, analyze) {
  witness?.end();
  const numbers = new Map();
  const begun = performance.now();
  /** @type {Witness} */
  const seen = { id, begun, last: begun, analyze, records: [], lost: 0, tasks: [], shifts: [], frames: 0, drain, end };
  const observer = new MutationObserver(take);
  for (const { root } of treesOf(document)) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
  }
  const timeline = analyze ? watchTimeline(seen) : undefined;
  if (!document.hidden) {
    seen.frames = 1;
    requestAnimationFrame(() => setTimeout(() => (seen.frames = 0)));
  }

  /** @param {MutationRecord[]} records */
  function take(records) {
    const told = records.filter((record) => !isOwnRecord(record));
    if (!told.length) return;
    seen.last = performance.now();
    for (const record of told) tell(record);
  }
  /** @param {MutationRecord} record */
  function tell(record) {
    if (seen.records.length >= MUTATIONS) return void seen.lost++;
    for (const node of record.addedNodes) put('added', node, record.target);
    for (const node of record.removedNodes) put('removed', node, record.target);
    if (record.type === 'attributes') putAttribute(record);
    if (record.type === 'characterData') put('text', nodes.parent(record.target) ?? record.target, record.target);
  }
  /**
   * @param {string} kind
   * @param {Node} node
   * @param {Node} parent
   */
  function put(kind, node, parent) {
    const own = node instanceof Element || node.nodeType === 1;
    if (!own && kind !== 'text') node = parent; // a text that comes or goes is its parent's
    const what = own ? kind : 'text';
    const element = /** @type {Element} */ (node);
    if (element.nodeType !== 1) return;
    const sample = clip(oneLine(element.textContent ?? ''), SAMPLE);
    seen.records.push([what, number(element), number(nodes.parent(element) ?? parent), compactName(element), sample]);
  }
  /** @param {MutationRecord} record */
  function putAttribute({ target, attributeName, oldValue }) {
    const element = /** @type {Element} */ (target);
    const name = attributeName ?? '';
    const now = nodes.attribute(element, name);
    const kept = (/** @type {string | null} */ value) => (value === null ? null : clip(value, SAMPLE));
    seen.records.push(['attribute', number(element), number(nodes.parent(element)), compactName(element), name, kept(oldValue), kept(now)]);
  }
  /** @param {Node | null} node */
  function number(node) {
    if (!node) return 0;
    if (!numbers.has(node)) numbers.set(node, numbers.size + 1);
    return numbers.get(node);
  }
  function drain() {
    take(observer.takeRecords());
    timeline?.drain();
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
      if (entry.entryType === 'longtask') seen.tasks.push({ startTime, duration });
      else putShift(/** @type {ShiftEntry} */ (entry));
    }
  };
  /** @param {ShiftEntry} entry */
  const putShift = (entry) => {
    seen.shifts.push({ value: entry.value, startTime: entry.startTime, element: briefNameOf(entry.sources[0]?.node) });
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
 * Name an element as a reader of changes wants it (seed 001: id > data-testid > tag.class > tag).
 * @param {Element} element
 * @returns {string}
 */
function compactName(element) {
  const [id, testid] = [nodes.attribute(element, 'id'), nodes.attribute(element, 'data-testid')];
  if (id) return clip(`#${id}`, SAMPLE);
  if (testid) return clip(`[data-testid="${testid}"]`, SAMPLE);
  const [first] = (nodes.attribute(element, 'class') ?? '').split(/\s+/).filter(Boolean);
  return clip(first ? `${nodes.tag(element)}.${first}` : nodes.tag(element), SAMPLE);
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
  return { quietMs: now - seen.last, timingMs: rounded(seen.last - seen.begun), frames: seen.frames };
}

/**
 * Answer what was seen of an action, and watch no longer.
 * @param {Record<string, unknown>} query
 */
function seenOf({ id }) {
  if (witness?.id !== id) return { gone: true };
  const seen = /** @type {Witness} */ (witness);
  seen.drain();
  seen.end();
  const { begun, last, records, lost, tasks, shifts, analyze } = seen;
  const since = (/** @type {number} */ at) => rounded(at - begun);
  return {
    timing_ms: since(last),
    records,
    ...(lost && { lost }),
    ...(analyze && {
      tasks: tasks.map(({ startTime, duration }) => [since(startTime), rounded(duration)]),
      shifts: shifts.map(({ value, startTime, element }) => [since(startTime), Math.round(value * 10_000) / 10_000, element]),
      resources: resourcesSince(begun),
    }),
  };
}

/** @param {number} begun */
function resourcesSince(begun) {
  const entries = /** @type {ResourceEntry[]} */ (performance.getEntriesByType('resource'));
  return entries.filter(({ startTime }) => startTime >= begun).slice(-200).map(resourceOf);
}
