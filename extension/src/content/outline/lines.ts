// Writes the lines of an outline: what a page writes never begins as what we write does.
//
// `# ` a heading by its level, `- ` the item of a list, `| ` a row of a table, `[12 button: Save]` what is worked with, by the
// end of its ref, `<main>` an element around the lines that are indented below it, `…` what is left out.

import type { NameReader } from '../dom/accessible_name.ts';
import { clipWhole, LISTED_NAME, oneLine } from '../dom/text.ts';
import { bracketed, controlLine, numberOf, written } from '../read/control_line.ts';
import type { Group, Line, Piece } from './outline_parts.ts';

/** The most characters of a text at first: it is lengthened while there is room. */
export const SHORT_TEXT = 160;

/** How a line of ours begins. */
const OURS = /^(?=\[|<|#|\||…|\\|- |\^$)/;

const encoder = new TextEncoder();

/** Return the bytes of a line in the list that is sent. */
export function bytesOf(line: string): number {
  const json = JSON.stringify(line);
  return /^[\x20-\x7e]*$/.test(json) ? json.length + 1 : encoder.encode(json).length + 1;
}

export class LineWriter {
  readonly #nameOf: NameReader;

  constructor(nameOf: NameReader) {
    this.#nameOf = nameOf;
  }

  /** Write a line, '' for one that holds nothing to be read. `most`: the most characters of its texts together. */
  line({ pieces, sign, named }: Line, most: number): { text: string; isCut: boolean } {
    const said = pieces.flatMap((piece) => (piece.is === 'control' ? [this.#nameOf(piece.element)] : []));
    const names = new Set(said.filter((name) => name.length <= LISTED_NAME).map(plain)); // the others are cut
    let left = most;
    let text = '';
    let isCut = false;
    for (const piece of pieces) {
      if (piece.is !== 'text') {
        text = joined(text, this.#piece(piece));
        continue;
      }
      const own = oneLine(piece.text);
      if (!own || names.has(plain(own)) || (named && named.includes(own))) continue;
      const kept = own.length > left ? `${clipWhole(own, left).trimEnd()}…` : own;
      isCut ||= kept !== own;
      if (left <= 0) continue;
      left -= kept.length;
      text = joined(text, text ? written(kept) : begun(kept));
    }
    return { text: text && sign + text.toWellFormed(), isCut };
  }

  /** Write what is said of the group itself. */
  head({ element, role, head }: Group): string {
    if (head === 'control') return controlLine({ element, role, name: role ? this.#nameOf(element) : '' });
    return sign(role, bracketed(clipWhole(oneLine(this.#nameOf(element)), SHORT_TEXT)));
  }

  #piece(piece: Exclude<Piece, { is: 'text' }>): string {
    if (piece.is === 'sign') return piece.text;
    const { element } = piece;
    const name = this.#nameOf(element);
    if (piece.is === 'control') return controlLine({ element, role: piece.role, name }, true);
    const shown = bracketed(clipWhole(name, SHORT_TEXT));
    if (piece.is === 'frame') return sign(`iframe ${numberOf(element)}`, shown);
    const value = piece.role === 'meter' || piece.role === 'progressbar' ? measured(element) : '';
    if (!shown && !value && /^(img|math|graphics-.*)$/.test(piece.role)) return '';
    return sign(piece.role, [shown, value].filter(Boolean).join(' = '));
  }
}

/** Write the text that a line begins with, which must not begin as ours do. */
function begun(text: string): string {
  const own = written(text);
  return own[0] === text[0] && OURS.test(text) ? `\\${own}` : own;
}

function measured(element: Element): string {
  const { value, max } = element as HTMLProgressElement;
  const spoken = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  if (spoken !== null) return written(oneLine(spoken));
  return typeof value === 'number' && element.hasAttribute('value') ? `${value}/${max}` : '';
}

function sign(role: string, name: string): string {
  return name ? `<${role}: ${name}>` : `<${role}>`;
}

function joined(text: string, more: string): string {
  return text && more && !/^[.,;:!?)]/.test(more) ? `${text} ${more}` : text + more;
}

/** Without what sets a label apart from its field. */
function plain(text: string): string {
  return text.replace(/[\s:*]+$/, '');
}
