// Gathers the pieces of a group as lines, in order; it looks at no page but for tags.

import { nodes } from '../dom/nodes.ts';
import type { Around, Group, Line, Part, Piece } from './outline_parts.ts';

/** What a line has before the next begins. */
const LINE_CHARACTERS = 160;
const LINE_CONTROLS = 6;

/** The most pieces of a line that is read whole, and the deepest group in it. */
const FLAT_PIECES = 100;
const FLAT_DEPTH = 40;

/** How relevant it is besides its place. */
const RANKS: Record<string, number> = {
  alert: -8,
  alertdialog: -12,
  dialog: -12,
  main: -3,
  search: -1,
  status: -2,
  banner: 1,
  navigation: 2,
  complementary: 3,
  contentinfo: 5,
};

/** How much the next part of a group is less relevant than the one before. */
const NEXT_RANK = 0.2;
const HEADING_RANK = -2;
const TEXT_RANK = 0.7;

export interface Holder {
  text: (text: string) => void;
  piece: (piece: Piece) => void;
  group: (element: Element, role: string, head: Group['head'], around: Around) => void;
  line: (holder: Element, sign: string, pieces: Piece[], around: Around) => void;
}

/** Adds a text to the one before it. */
function append(pieces: Piece[], text: string) {
  const last = pieces.at(-1);
  if (last?.is === 'text') last.text += text;
  else pieces.push({ is: 'text', text });
}

function isBlank(pieces: Piece[]): boolean {
  return pieces.every((piece) => piece.is === 'text' && !piece.text.trim());
}

/** Gathers the parts of a group. */
export class Parts implements Holder {
  readonly #parts: Part[] = [];
  readonly #up: Group;
  readonly #around: Around;
  #pieces: Piece[] = [];
  #characters = 0;

  constructor(up: Group, around: Around) {
    this.#up = up;
    this.#around = around;
  }

  text(text: string) {
    if (!text) return;
    append(this.#pieces, text);
    this.#characters += text.length;
  }

  piece(piece: Piece) {
    const controls = this.#pieces.filter(({ is }) => is !== 'text').length;
    if (this.#characters > LINE_CHARACTERS || controls >= LINE_CONTROLS) this.#flush();
    if (piece.is === 'frame') this.#flush();
    this.#pieces.push(piece);
    if (piece.is === 'frame') this.#flush();
  }

  group(element: Element, role: string, head: Group['head'], around: Around) {
    this.#flush();
    const isItem = role === 'listitem' || /^(dt|dd)$/.test(nodes.tag(element));
    const rank = this.#rank(around) + (head === 'role' ? (RANKS[role] ?? 0) : 0);
    this.#parts.push({ is: 'group', up: this.#up, rank, element, role, head, sign: isItem ? '- ' : '', around });
  }

  line(holder: Element, sign: string, pieces: Piece[], around: Around) {
    this.#flush();
    if (isBlank(pieces)) return;
    const rank = this.#rank(around) + (sign ? HEADING_RANK : 0);
    this.#parts.push({ is: 'line', up: this.#up, rank, holder, pieces, sign, named: around.named });
  }

  /** What is left of many nodes. */
  rest(left: Node[]) {
    this.#flush();
    const [up, around] = [this.#up, this.#around];
    const { element } = up;
    const rank = this.#rank(around);
    this.#parts.push({ is: 'group', up, rank, element, role: '', head: '', sign: '', nodes: left, around });
  }

  finished(): Part[] {
    this.#flush();
    return this.#parts;
  }

  /** End the line. */
  #flush() {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#characters = 0;
    if (isBlank(pieces)) return;
    const rank = this.#rank(this.#around) + (pieces.every(({ is }) => is === 'text') ? TEXT_RANK : 0);
    const line: Line = {
      is: 'line',
      up: this.#up,
      rank,
      holder: this.#up.element,
      pieces,
      sign: '',
      named: this.#around.named,
    };
    this.#parts.push(line);
  }

  #rank({ away }: Around): number {
    return this.#up.rank + Math.max(0, away - this.#up.around.away) + this.#parts.length * NEXT_RANK;
  }
}

/** Gathers all in an element as one line. */
export class FlatLine implements Holder {
  readonly pieces: Piece[] = [];
  readonly #look: (element: Element, around: Around) => void;
  #depth = 0;

  /** `look` reads what is in an element. */
  constructor(look: (element: Element, around: Around) => void) {
    this.#look = look;
  }

  text(text: string) {
    if (text && this.pieces.length < FLAT_PIECES) append(this.pieces, text);
  }

  piece(piece: Piece) {
    if (this.pieces.length < FLAT_PIECES) this.pieces.push(piece);
  }

  group(element: Element, role: string, head: Group['head'], around: Around) {
    if (head === 'control') this.piece({ is: 'control', element, role });
    if (this.#depth >= FLAT_DEPTH || this.pieces.length >= FLAT_PIECES) return;
    this.#depth++;
    this.text(' ');
    this.#look(element, around);
    this.text(' ');
    this.#depth--;
  }

  line(_holder: Element, _sign: string, pieces: Piece[]) {
    for (const piece of pieces) this.piece(piece);
  }
}
