// Notes whether an action has left the page other than it was: what was changed and changed back does not count.

import { nodes } from '../dom/nodes.ts';

/** The most records that are compared: what changes more has changed. */
const COMPARED = 2_000;

export interface NetChanges {
  note: (record: MutationRecord) => void;
  any: () => boolean;
}

export function makeNetChanges(): NetChanges {
  const attributes = new Map<Element, Map<string, string | null>>();
  const texts = new Map<Node, string | null>();
  const moved = new Map<Node, boolean>(); // whether it was in the page before
  let count = 0;
  const isOther = (element: Element, [name, before]: [string, string | null]) => {
    const now = nodes.attribute(element, name);
    return now !== before && !isSignOfFocus(name, before ?? '', now ?? '');
  };
  return {
    note({ type, target, attributeName, oldValue, addedNodes, removedNodes }) {
      if (count++ >= COMPARED) return;
      if (type === 'attributes') {
        const before = attributes.get(target as Element) ?? new Map<string, string | null>();
        if (!before.has(attributeName ?? '')) before.set(attributeName ?? '', oldValue);
        attributes.set(target as Element, before);
      } else if (type === 'characterData') {
        if (!texts.has(target)) texts.set(target, oldValue);
      }
      for (const node of removedNodes) if (!moved.has(node)) moved.set(node, true);
      for (const node of addedNodes) if (!moved.has(node)) moved.set(node, false);
    },
    any: () =>
      count > COMPARED ||
      [...moved].some(([node, was]) => nodes.isConnected(node) !== was) ||
      [...texts].some(([node, before]) => node.nodeValue !== before) ||
      [...attributes].some(([element, before]) => [...before].some((one) => isOther(element, one))),
  };
}

/** Words by which pages mark, at any key, that the keyboard is used and where the focus is. */
const FOCUS_WORDS = /focus|keyboard|whatinput|whatintent|modality/i;

/** Whether an attribute only shows where the focus is: an outline that comes or goes, a class that is called so. */
export function isSignOfFocus(name: string, before: string, now: string): boolean {
  if (FOCUS_WORDS.test(name)) return true;
  if (name === 'style') return withoutOutline(before) === withoutOutline(now);
  if (name !== 'class') return false;
  const [was, is] = [before, now].map((text) => text.split(/\s+/).filter((one) => one && !FOCUS_WORDS.test(one)));
  return was?.join(' ') === is?.join(' ');
}

function withoutOutline(style: string): string {
  return style.replace(/(^|;)\s*outline[\w-]*\s*:[^;]*/g, '').replace(/[\s;]+/g, '');
}
