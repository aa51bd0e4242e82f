// Finds which places of a table's rows are taken by cells of a column or row before them.

import { nodes } from '../dom/nodes.ts';

/** What a place shows that a cell on its left, or above it, reaches into. */
const LEFT = '<';
const ABOVE = '^';

/** The most rows and columns that are looked at. */
const ROWS = 1_000;
const COLUMNS = 200;

/** By row: for each place a mark, or '' where a cell begins; null for a table without such cells. */
export function spansOf(table: HTMLTableElement): Map<Element, string[]> | null {
  if (!nodes.first(table, '[rowspan], [colspan]')) return null;
  const spans = new Map<Element, string[]>();
  let above: number[] = []; // by column: how many more rows a cell reaches down
  for (const row of [...table.rows].slice(0, ROWS)) {
    const marks: string[] = [];
    const next: number[] = [];
    const pass = () => {
      for (let at = marks.length; (above[at] ?? 0) > 0 && at < COLUMNS; at++) {
        next[at] = (above[at] as number) - 1;
        marks.push(ABOVE);
      }
    };
    for (const { colSpan, rowSpan } of row.cells) {
      pass();
      for (let part = 0; part < colSpan && marks.length < COLUMNS; part++) {
        next[marks.length] = (rowSpan || ROWS) - 1; // 0: to the end of its part of the table
        marks.push(part ? LEFT : '');
      }
    }
    pass();
    spans.set(row, marks);
    above = next;
  }
  return spans;
}
