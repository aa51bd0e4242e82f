// Finds what only the pointer shows to be clickable: over it, it becomes a hand; a listener itself is out of our sight.

import { isHtml, nodes } from './nodes.ts';
import type { Finding } from './search.ts';
import { around } from './visibility.ts';

/** The most elements whose style is looked at. */
const LOOKED_AT = 20_000;

/** Return what was found, and what is pointed. */
export function withPointed(found: Finding): Finding {
  let left = LOOKED_AT;
  const isAdded = (element: Element) => left-- > 0 && isPointed(element);
  const all: Finding = new Map();
  for (const [tree, elements] of found) {
    const known = new Set(elements);
    all.set(
      tree,
      [...tree.elements].filter((element) => known.has(element) || isAdded(element)),
    );
  }
  return all;
}

/** Whether the pointer becomes a hand over an element, and not already over what is around it; a link may be in a row. */
export function isPointed(element: Element): boolean {
  if (!hasHand(element) || nodes.matches(element, 'html, body, svg *')) return false;
  const over = isHtml(element, 'a') ? null : around(element);
  return over === null || !hasHand(over);
}

function hasHand(element: Element): boolean {
  return getComputedStyle(element).cursor === 'pointer';
}
