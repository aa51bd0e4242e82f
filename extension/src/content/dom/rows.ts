// Finds what a text belongs to for a reader: its row, item or article, or one of several boxes that are alike.

import { nodes } from './nodes.ts';
import type { Tree } from './search.ts';
import { quoted } from './selectors.ts';
import { around, type Found } from './visibility.ts';
import { ROWS } from './widgets.ts';

/** How far above a text a box without a role is its row. */
const LEVELS = 10;

/** What is no row, and no row reaches beyond. */
const BORDERS =
  'body, main, nav, header, footer, aside, section, form, dialog, table, tbody, ul, ol, [role="grid"], [role="table"], [role="list"], [role="dialog"], [role="listbox"], [role="tree"]';

export function rowAround(element: Element): Element | null {
  let row: Element | null = element;
  while (row && !nodes.matches(row, ROWS)) row = around(row);
  return row;
}

/** Return the closest row, item or article around each; a grid with columns that stay may draw a row in several parts. */
export function rowsOf(elements: Set<Element>): Set<Element> {
  const rows = new Set<Element>();
  for (const element of elements) {
    const row = rowAround(element);
    if (!row) continue;
    rows.add(row);
    const index = nodes.attribute(row, 'aria-rowindex');
    const grid = index && nodes.closest(row, '[role=grid], [role=treegrid], [role=table]');
    if (grid) for (const part of nodes.within(grid, `[role=row][aria-rowindex="${quoted(index)}"]`)) rows.add(part);
  }
  return rows;
}

/**
 * Return the box around each that is in no row, as `<div>`s are drawn for one: the smallest that holds any of `wanted`,
 * among several alike, unless that is in a box below or above that is as the one with the text.
 */
export function boxesOf(elements: Set<Element>, wanted: Found[]): Set<Element> {
  const holding = aboveEach(wanted);
  const boxes = new Set<Element>();
  for (const element of elements) {
    if (rowAround(element)) continue;
    let below = element;
    let at = around(element);
    for (let up = 0; at && up < LEVELS && !holding.has(at) && !nodes.matches(at, BORDERS); up++, at = around(at))
      below = at;
    if (!at || !holding.has(at) || nodes.matches(at, BORDERS) || !isOneOfSeveral(at)) continue;
    if (!alike(below).some((one) => holding.has(one) && isStacked(one, below))) boxes.add(at);
  }
  return boxes;
}

/** Return all that the elements are in. */
export function aboveEach(found: Found[]): Set<Node> {
  const above = new Set<Node>();
  for (const { element, tree } of found) {
    for (let at = nodes.parent(element); at; at = nodes.parent(at)) above.add(at);
    for (let at = tree as Tree | null; at?.opener; at = at.outer) {
      for (let up = at.opener as Node | null; up; up = nodes.parent(up)) above.add(up);
    }
  }
  return above;
}

function isOneOfSeveral(box: Element): boolean {
  for (let at: Element | null = box, up = 0; at && up < LEVELS && !nodes.matches(at, BORDERS); up++, at = around(at))
    if (alike(at).length) return true;
  return false;
}

/** List what stands beside an element and is built as it is, by its tag and its first class. */
function alike(element: Element): Element[] {
  const parent = nodes.parent(element);
  if (!parent) return [];
  const kind = kindOf(element);
  const same: Element[] = [];
  for (const one of nodes.childNodes(parent))
    if (one !== element && nodes.type(one) === 1 && kindOf(one as Element) === kind) same.push(one as Element);
  return same;
}

function kindOf(element: Element): string {
  const [first = ''] = (nodes.attribute(element, 'class') ?? '').trim().split(/\s+/);
  return `${nodes.tag(element)} ${first}`;
}

function isStacked(one: Element, other: Element): boolean {
  const [upper, lower] = [nodes.box(one), nodes.box(other)].sort((a, b) => a.top - b.top) as [DOMRect, DOMRect];
  return upper.bottom <= lower.top + 1;
}
