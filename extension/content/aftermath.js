// Goes on watching after an action's reply until it is told to stop; it counts what comes, and keeps no text of the page.

'use strict';

/** So many mutation records are counted, then nobody listens any more: an animation must not pay for us. */
var AFTER_RECORDS = 2_000;

/** Milliseconds after which nobody will ask any more: the worker's window has 10 s, or it died. */
var AFTER_MS = 12_000;

/** The most places that are named. */
var AFTER_PLACES = 5;

/**
 * What came after a reply. Times in ms since the action began.
 * @typedef {object} LateChanges
 * @property {number} added  elements
 * @property {number} removed
 * @property {number} attributes  elements of which attributes changed
 * @property {number} texts  elements or text nodes whose text changed
 * @property {number} first_ms
 * @property {number} last_ms
 * @property {string[]} places  where, those that came first
 * @property {true} [cut]  there was more
 */

/** @typedef {{id: string, told: () => {dom?: LateChanges, storage: StoredChange[]}, end: () => void}} Aftermath */

/** @type {Aftermath | undefined}  of the last action of this page */
var aftermath;

/**
 * Take over from an action's witness what its observer sees from now on.
 * @param {Witness} seen
 * @returns {{at: number, storage: StoredChange[]}}  when the action began, in ms since the epoch, and what it stored
 */
function watchAftermath(seen) {
  const stored = lookAtStored();
  const late = countLate(seen);
  const timer = setTimeout(end, AFTER_MS);
  seen.handOver(late.take);

  function end() {
    clearTimeout(timer);
    seen.end();
    if (aftermath === mine) aftermath = undefined;
  }

  /** @type {Aftermath} */
  const mine = {
    id: seen.id,
    told() {
      seen.drain();
      const dom = late.told();
      return { ...(dom && { dom }), storage: storedChanges(stored, lookAtStored()) };
    },
    end,
  };
  aftermath = mine;
  return { at: performance.timeOrigin + seen.begun, storage: storedChanges(seen.stored, stored) };
}

/**
 * Count mutation records.
 * @param {Witness} seen
 * @returns {{take: (record: MutationRecord) => void, told: () => LateChanges | undefined}}
 */
function countLate(seen) {
  /** @type {{added: Set<Node>, removed: Set<Node>, attributes: Set<Node>, texts: Set<Node>}} */
  const nodesOf = { added: new Set(), removed: new Set(), attributes: new Set(), texts: new Set() };
  /** @type {Set<Node>} */
  const places = new Set();
  let count = 0;
  let first = 0;
  let last = 0;

  /** @param {MutationRecord} record */
  function take({ type, target, addedNodes, removedNodes }) {
    last = performance.now() - seen.begun;
    if (count++ === 0) first = last;
    if (count > AFTER_RECORDS) return seen.end();
    if (places.size < AFTER_PLACES) places.add(type === 'characterData' ? (nodes.parent(target) ?? target) : target);
    if (type === 'attributes') return void nodesOf.attributes.add(target);
    if (type === 'characterData') return void nodesOf.texts.add(target);
    for (const node of addedNodes) if (!nodesOf.removed.delete(node)) put(node, nodesOf.added, target);
    for (const node of removedNodes) if (!nodesOf.added.delete(node)) put(node, nodesOf.removed, target);
  }

  /**
   * @param {Node} node
   * @param {Set<Node>} set
   * @param {Node} target
   */
  function put(node, set, target) {
    if (isOurs(node)) return;
    if (node.nodeType === 1) set.add(node);
    else if (node.nodeType === 3) nodesOf.texts.add(target);
  }

  return {
    take,
    told() {
      const { added, removed, attributes, texts } = nodesOf;
      const counts = { added: added.size, removed: removed.size, attributes: attributes.size, texts: texts.size };
      if (!Object.values(counts).some(Boolean)) return undefined;
      const named = [...new Set([...places].filter((node) => node.nodeType === 1).map((node) => briefNameOf(node)))];
      const times = { first_ms: Math.round(first), last_ms: Math.round(last) };
      return { ...counts, ...times, places: named, ...(count > AFTER_RECORDS && { cut: true }) };
    },
  };
}

/**
 * Answer what came after an action's reply, and watch no longer.
 * @param {Record<string, unknown>} query  `id`
 */
function aftermathOf({ id }) {
  if (aftermath?.id !== id) return { gone: true };
  const { told, end } = /** @type {Aftermath} */ (aftermath);
  const answer = told();
  end();
  return answer;
}
