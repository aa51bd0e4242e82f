// Keeps observing after an action's reply until it is stopped; it counts what changes, and keeps no text of the page.

import { briefNameOf } from '../dom/naming.ts';
import { isOurs, nodes } from '../dom/nodes.ts';
import type { Observation } from './observer.ts';
import { type Prompt, promptsSince } from './prompt_watch.ts';
import { lookAtStored, type StoredChange, storedChanges } from './stored_names.ts';

/** The most mutation records that are counted before observing ends: an animation must not pay for us. */
const AFTER_RECORDS = 2_000;

/** Milliseconds after which no request for the changes can come: the worker's window has 10 s, or it died. */
const AFTER_MS = 12_000;

/** The most places that are named. */
const AFTER_PLACES = 5;

/** What came after a reply. Times in ms since the action began. */
interface LateChanges {
  /** Elements. */
  added: number;
  removed: number;
  /** Elements of which attributes changed. */
  attributes: number;
  /** Elements or text nodes with changed text. */
  texts: number;
  first_ms: number;
  last_ms: number;
  /** Where, those that came first. */
  places: string[];
  /** There was more. */
  cut?: true;
}

type LateObservation = {
  id: string;
  collect: () => { dom?: LateChanges; storage: StoredChange[]; prompts: Prompt[] };
  end: () => void;
};

/** The observation after the last action of this page. */
export let lateObservation: LateObservation | undefined;

/**
 * Take over what an action's observer sees from now on. Return when the action began, in ms since the epoch, and what
 * it stored.
 */
export function observeLateChanges(observation: Observation): { at: number; storage: StoredChange[] } {
  const stored = lookAtStored();
  const late = countLate(observation);
  const timer = setTimeout(end, AFTER_MS);
  observation.handOver(late.take);

  function end() {
    clearTimeout(timer);
    observation.end();
    if (lateObservation === mine) lateObservation = undefined;
  }

  const mine: LateObservation = {
    id: observation.id,
    collect() {
      observation.drain();
      const dom = late.collect();
      const changes = { ...(dom && { dom }), storage: storedChanges(stored, lookAtStored()) };
      return { ...changes, prompts: promptsSince(observation.begun) };
    },
    end,
  };
  lateObservation = mine;
  return { at: performance.timeOrigin + observation.begun, storage: storedChanges(observation.stored, stored) };
}

/** Count mutation records. */
function countLate(observation: Observation): {
  take: (record: MutationRecord) => void;
  collect: () => LateChanges | undefined;
} {
  const nodesOf: { added: Set<Node>; removed: Set<Node>; attributes: Set<Node>; texts: Set<Node> } = {
    added: new Set(),
    removed: new Set(),
    attributes: new Set(),
    texts: new Set(),
  };
  const places: Set<Node> = new Set();
  let count = 0;
  let first = 0;
  let last = 0;

  function take({ type, target, addedNodes, removedNodes }: MutationRecord) {
    last = performance.now() - observation.begun;
    if (count++ === 0) first = last;
    if (count > AFTER_RECORDS) return observation.end();
    if (places.size < AFTER_PLACES) places.add(type === 'characterData' ? (nodes.parent(target) ?? target) : target);
    if (type === 'attributes') return void nodesOf.attributes.add(target);
    if (type === 'characterData') return void nodesOf.texts.add(target);
    for (const node of addedNodes) if (!nodesOf.removed.delete(node)) put(node, nodesOf.added, target);
    for (const node of removedNodes) if (!nodesOf.added.delete(node)) put(node, nodesOf.removed, target);
  }

  function put(node: Node, set: Set<Node>, target: Node) {
    if (isOurs(node)) return;
    if (node.nodeType === 1) set.add(node);
    else if (node.nodeType === 3) nodesOf.texts.add(target);
  }

  return {
    take,
    collect() {
      const { added, removed, attributes, texts } = nodesOf;
      const counts = { added: added.size, removed: removed.size, attributes: attributes.size, texts: texts.size };
      if (!Object.values(counts).some(Boolean)) return undefined;
      const named = [...new Set([...places].filter((node) => node.nodeType === 1).map((node) => briefNameOf(node)))];
      const times = { first_ms: Math.round(first), last_ms: Math.round(last) };
      return { ...counts, ...times, places: named, ...(count > AFTER_RECORDS && { cut: true }) };
    },
  };
}

/** Return what changed after an action's reply, and stop observing. The query has `id`. */
export function lateChangesOf({ id }: Record<string, unknown>) {
  if (lateObservation?.id !== id) return { gone: true };
  const { collect, end } = lateObservation as LateObservation;
  const answer = collect();
  end();
  return answer;
}
