// Reads the text of an element as a person reads it, with what fields, shadow roots and frames show; it must only read.
//
// What has none of these in it, nothing transparent, and no row in another place than its grid states, is read by
// `innerText`: it knows all else that is not shown.

import { isHeld, isSensitive, valueOf } from '../dom/fields.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { inStatedOrder, Misplaced } from '../dom/stated_order.ts';
import { around, isOutOfSight, isVisible } from '../dom/visibility.ts';

/** What is read as a line of its own. */
const INLINE = /^(inline|contents|ruby)/;

/** What a field shows besides its text, or shows in another way. */
const UNREAD = /^(hidden|checkbox|radio|file|range|color|image|submit|reset|button)$/;

/** The most elements whose style is looked at. */
const LOOKED_AT = 20_000;

export type ShownText = {
  text: string;
  /** The characters that are left out because they are transparent. */
  transparent: number;
  /** The frames of another origin in it that are drawn: only a command in them can read them. */
  closedFrames: number;
};

/** Return its text with line breaks, as `innerText` has them where `innerText` knows all that is shown. */
export function shownText(element: Element): ShownText {
  return new TextReader().read(element);
}

class TextReader {
  #transparent = 0;
  #closedFrames = 0;
  #left = LOOKED_AT;

  /** What holds something that `innerText` does not read, or reads though it is not shown. */
  #mixed: Set<Element> = new Set();
  #looked: Set<Element> = new Set();
  #misplaced = new Misplaced();

  read(element: Element): ShownText {
    this.#lookInto(element);
    return {
      text: this.#mixed.has(element) ? tidied(this.#composed(element, element)) : innerText(element),
      transparent: this.#transparent,
      closedFrames: this.#closedFrames,
    };
  }

  /** Mark what holds such a thing, from an element on; shadow roots and frames in it are looked into later. */
  #lookInto(top: Element) {
    if (this.#looked.has(top)) return;
    for (const element of [top, ...nodes.within(top, '*')]) {
      this.#looked.add(element);
      if (!this.#isSpecial(element)) continue;
      for (let at: Element | null = element; at && !this.#mixed.has(at); at = at === top ? null : around(at))
        this.#mixed.add(at);
    }
  }

  #isSpecial(element: Element): boolean {
    if (nodes.shadowRoot(element) || nodes.matches(element, 'slot, iframe') || isHeld(element)) return true;
    if (this.#misplaced.has(element)) return true;
    return this.#left-- > 0 && isTransparent(element);
  }

  /** `top`: what was asked for, which is read even if it is transparent. */
  #composed(node: Node, top?: Element): string {
    const type = nodes.type(node);
    if (type === 3) return (node.nodeValue ?? '').replace(/\s+/g, ' ');
    if (type !== 1) return '';
    const element = node as Element;
    this.#lookInto(element);
    if (!this.#mixed.has(element)) return plainText(element);
    const { display, visibility } = getComputedStyle(element);
    if (display === 'none') return '';
    if (element !== top && isTransparent(element)) {
      this.#transparent += innerText(element).trim().length;
      return '';
    }
    if (isHeld(element)) return framed(` ${shownValue(element)} `, display);
    if (isHtml(element, 'iframe')) return this.#ofFrame(element);
    const parts = Array.from(drawnIn(element)).filter((part) => nodes.type(part) === 1 || visibility === 'visible');
    return framed(joined(parts.map((part) => this.#composed(part))), display);
  }

  #ofFrame(frame: Element): string {
    if (!isVisible(frame, nodes.box(frame)) || isOutOfSight(frame)) return '';
    const shown = nodes.frameDocument(frame as HTMLIFrameElement);
    if (!shown) this.#closedFrames++;
    const root = shown && nodes.rootElement(shown);
    return root ? `\n${this.#composed(root)}\n` : '';
  }
}

/** Whether an element, and so all in it, is transparent. */
function isTransparent(element: Element): boolean {
  return getComputedStyle(element).opacity === '0';
}

function innerText(element: Element): string {
  return (element as HTMLElement).innerText ?? nodes.text(element) ?? '';
}

function tidied(text: string): string {
  return text
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n (?=\S)/g, '\n') // where a line was joined; more of them indent it
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Return what a field shows; a secret, what is no text, and what an editor keeps out of sight is left out. */
function shownValue(field: Element): string {
  const { type } = field as HTMLInputElement;
  if (!isVisible(field, nodes.box(field)) || isOutOfSight(field)) return '';
  if (isHtml(field, 'input') && UNREAD.test(type)) return /^(submit|reset|button)$/.test(type) ? valueOf(field) : '';
  return isSensitive(field) ? '' : valueOf(field);
}

/** Join pieces of lines; of the spaces where two meet, one is drawn. */
function joined(pieces: string[]): string {
  return pieces.reduce((text, piece) => text + (/\s$/.test(text) ? piece.replace(/^ /, '') : piece), '');
}

/** Read an element that `innerText` reads wholly; the browser leaves out what is hidden. */
function plainText(element: Element): string {
  const { display, visibility } = getComputedStyle(element);
  if (display === 'none' || (visibility !== 'visible' && !nodes.firstChild(element))) return '';
  if (nodes.tag(element) === 'br') return '\n';
  const text = (element as HTMLElement).innerText ?? '';
  return framed(display === 'inline' ? spacedLike(element, text) : text, display);
}

/** Keep the spaces at the ends of a piece of a line, which `innerText` cuts off. */
function spacedLike(element: Element, text: string): string {
  const whole = nodes.text(element) ?? '';
  return `${/^\s/.test(whole) ? ' ' : ''}${text.trim()}${/\s$/.test(whole) ? ' ' : ''}`;
}

function framed(text: string, display: string): string {
  if (display === 'table-cell') return `${text.trim()}\t`;
  return INLINE.test(display) ? text : `\n${text}\n`;
}

/** List what is drawn in an element: of its shadow root, or of what a slot is filled with. */
function drawnIn(element: Element): Iterable<Node> {
  const assigned = isHtml(element, 'slot') ? (element as HTMLSlotElement).assignedNodes() : [];
  return assigned.length ? assigned : inStatedOrder([...nodes.childNodes(nodes.shadowRoot(element) ?? element)]);
}
