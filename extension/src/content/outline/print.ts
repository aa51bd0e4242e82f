// Prints the chosen lines of an outline in reading order, and where something is left out.

import { nodes } from '../dom/nodes.ts';
import { numberOf } from '../read/control_line.ts';
import type { Group, Line, Part } from './outline_parts.ts';

/** So many lines that are left out are only marked, not counted. */
const FEW = 5;

/** A frame of another origin: the line after which its own lines go, and their depth. */
export type PrintedFrame = { element: Element; line: number; depth: number };

export type Printed = { lines: string[]; leftOut: number; frames: PrintedFrame[] };

/** `isPartial`: what is not chosen is unchanged, and not left out. */
export function print(root: Group, isPartial: boolean): Printed {
  const printer = new Printer(isPartial);
  printer.part(root, 0);
  printer.end();
  return printer;
}

class Printer implements Printed {
  lines: string[] = [];
  leftOut = 0;
  frames: PrintedFrame[] = [];
  readonly #isPartial: boolean;
  /** What goes before the next line: what it is in, from the outside, and the signs of items that it begins. */
  #pending: { depth: number; head?: string; sign?: string }[] = [];
  #missed: { count: number; depth: number; group: Group | null } | null = null;

  constructor(isPartial: boolean) {
    this.#isPartial = isPartial;
  }

  part(part: Part, depth: number) {
    if (part.is === 'line') this.#line(part, depth);
    else this.#group(part, depth);
  }

  end() {
    this.#mark();
  }

  #line(line: Line, depth: number) {
    if (line.text === undefined) this.#miss(1, depth, line.up);
    else if (line.text) {
      this.#emit(depth, line.text);
      for (const piece of line.pieces)
        if (piece.is === 'frame')
          this.frames.push({ element: piece.element, line: this.lines.length - 1, depth: depth + 1 });
    }
  }

  #group(group: Group, depth: number) {
    if (!group.parts) {
      const count = group.nodes?.filter((node) => nodes.type(node) === 1).length ?? 1;
      return this.#miss(count, depth, group.nodes ? group : group.up);
    }
    const pending = this.#pending;
    const before = this.lines.length;
    let inner = depth;
    if (group.sign) this.#pending = [...pending, { depth: inner++, sign: group.sign }];
    if (group.head === 'control' && group.text) this.#emit(inner, group.text);
    else if (group.head && group.text !== undefined)
      this.#pending = [...this.#pending, { depth: inner, head: group.text }];
    if (group.head) inner++;
    for (const part of group.parts) this.part(part, inner);
    if (this.lines.length === before) this.#pending = pending; // nothing in it was printed
  }

  #emit(depth: number, text: string) {
    this.#mark();
    const pending = this.#pending;
    this.#pending = [];
    let signs = '';
    let at = depth;
    for (const { depth: own, head, sign } of [...pending, { depth, head: text, sign: '' }]) {
      if (!signs) at = own;
      signs += sign ?? '';
      if (head === undefined) continue;
      this.lines.push(' '.repeat(at) + signs + head);
      signs = '';
    }
  }

  #miss(count: number, depth: number, group: Group | null) {
    if (this.#isPartial || !count) return;
    this.leftOut += count;
    if (this.#missed) {
      this.#missed.count += count;
      if (this.#missed.group !== group) this.#missed.group = outer(this.#missed.group, group);
    } else this.#missed = { count, depth, group };
  }

  /** Mark what was left out before the next line. */
  #mark() {
    const missed = this.#missed;
    this.#missed = null;
    if (!missed) return;
    const last = this.lines.length - 1;
    if (missed.count < FEW && last >= 0) {
      if (!this.lines[last]?.endsWith('…')) this.lines[last] += ' …';
      return;
    }
    const { group } = missed;
    const place = group?.up ? ` in [${numberOf(group.element)}]` : '';
    this.lines.push(`${' '.repeat(missed.depth)}… ${missed.count} more${place}`);
  }
}

/** Return the group that holds both. */
function outer(one: Group | null, other: Group | null): Group | null {
  const around = new Set<Group>();
  for (let at = one; at; at = at.up) around.add(at);
  for (let at = other; at; at = at.up) if (around.has(at)) return at;
  return null;
}
