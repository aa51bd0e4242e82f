// Puts rows and cells in the order that their grid states; it must only read attributes.
//
// https://www.w3.org/TR/wai-aria-1.2/#aria-rowindex and #aria-colindex. Grids that draw only what is in view place each row
// where it belongs, and leave it in the document where it came.

import { nodes } from './nodes.ts';

/** Where a row is among all rows of its grid, and a cell among all cells of its row. */
const INDEXES = ['aria-rowindex', 'aria-colindex'];

/** Of more elements the order is not looked at: nobody counts so far. */
const MOST = 2_000;

/** Put the nodes of one parent in their order; what states no place stays with the one before it, and at the end. */
export function inStatedOrder(all: Node[]): Node[] {
  const first = all.find((node) => nodes.type(node) === 1) as Element | undefined;
  const index = first && INDEXES.find((name) => nodes.attribute(first, name) !== null);
  if (!index) return all;
  const stated = all.map((node) => (nodes.type(node) === 1 ? placeOf(node as Element, index) : 0));
  const end = stated.findLastIndex((place) => place > 0);
  let last = 0;
  const placed = all.map((node, at) => {
    last = at > end ? Infinity : (stated[at] as number) || last;
    return { node, place: last };
  });
  return placed.sort((one, other) => one.place - other.place || 0).map(({ node }) => node);
}

/** Put what is in rows of one grid in the order of the rows, and of the cells in a row; all else keeps its place. */
export function inRowOrder<T extends { element: Element }>(found: T[]): T[] {
  if (found.length < 2 || found.length > MOST) return found;
  return INDEXES.reduce(orderedBy, found);
}

function orderedBy<T extends { element: Element }>(found: T[], index: string): T[] {
  const placed = found.map((one) => {
    const holder = nodes.closest(one.element, `[${index}]`);
    return holder && { one, place: placeOf(holder, index), parent: nodes.parent(holder) };
  });
  const inOrder = new Map<Node | null, typeof placed>();
  for (const one of placed) {
    if (!one?.place) continue;
    const siblings = inOrder.get(one.parent);
    if (siblings) siblings.push(one);
    else inOrder.set(one.parent, [one]);
  }
  for (const siblings of inOrder.values()) siblings.sort((one, other) => (one?.place ?? 0) - (other?.place ?? 0));
  return found.map((one, at) => (placed[at]?.place && inOrder.get(placed[at].parent)?.shift()?.one) || one);
}

/** Look through elements, in the order of the document, for those that have their place before one that came earlier. */
export class Misplaced {
  #last: Map<Node | null, number> = new Map();

  has(element: Element): boolean {
    const index = INDEXES.find((name) => nodes.attribute(element, name) !== null);
    if (!index) return false;
    const parent = nodes.parent(element);
    const [place, last] = [placeOf(element, index), this.#last.get(parent) ?? 0];
    this.#last.set(parent, Math.max(place, last));
    return place > 0 && place < last;
  }
}

function placeOf(element: Element, index: string): number {
  const place = Number(nodes.attribute(element, index));
  return place > 0 ? place : 0;
}
