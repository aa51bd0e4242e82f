// Reads the text of an element as a person reads it: with what fields hold, shadow roots draw and slots show; it must only read.

import { isHeld, isSensitive, valueOf } from '../dom/fields.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { isOutOfSight, isVisible } from '../dom/visibility.ts';

/** What is read as a line of its own. */
const INLINE = /^(inline|contents|ruby)/;

const FIELDS = 'input, select, textarea';

/** What a field shows besides its text, or shows in another way. */
const UNREAD = /^(hidden|checkbox|radio|file|range|color|image|submit|reset|button)$/;

/** Return its text with line breaks, as `innerText` has them where there is no field and no shadow root. */
export function shownText(element: Element): string {
  if (isPlain(element)) return (element as HTMLElement).innerText ?? nodes.text(element) ?? '';
  return composedText(element)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n (?=\S)/g, '\n') // where a line was joined; more of them indent it
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Whether `innerText` has all that is shown of it. */
function isPlain(element: Element): boolean {
  if (nodes.shadowRoot(element) || isHtml(element, 'slot') || isHeld(element)) return false;
  return !holdsHosts(element) && nodes.within(element, FIELDS).length === 0;
}

/** Return what a field shows; a secret, what is no text, and what an editor keeps out of sight is left out. */
function shownValue(field: Element): string {
  const { type } = field as HTMLInputElement;
  if (!isVisible(field, nodes.box(field)) || isOutOfSight(field)) return '';
  if (isHtml(field, 'input') && UNREAD.test(type)) return /^(submit|reset|button)$/.test(type) ? valueOf(field) : '';
  return isSensitive(field) ? '' : valueOf(field);
}

function holdsHosts(element: Element): boolean {
  for (const inner of nodes.within(element, '*')) if (nodes.shadowRoot(inner)) return true;
  return false;
}

function composedText(node: Node): string {
  const type = nodes.type(node);
  if (type === 3) return (node.nodeValue ?? '').replace(/\s+/g, ' ');
  if (type !== 1) return '';
  const element = node as Element;
  if (isPlain(element)) return plainText(element);
  const { display, visibility } = getComputedStyle(element);
  if (display === 'none') return '';
  if (isHeld(element)) return framed(` ${shownValue(element)} `, display);
  const parts = Array.from(drawnIn(element)).filter((part) => nodes.type(part) === 1 || visibility === 'visible');
  return framed(joined(parts.map(composedText)), display);
}

/** Join pieces of lines; of the spaces where two meet, one is drawn. */
function joined(pieces: string[]): string {
  return pieces.reduce((text, piece) => text + (/\s$/.test(text) ? piece.replace(/^ /, '') : piece), '');
}

/** Read an element without shadow roots in it; the browser leaves out what is hidden. */
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
  return assigned.length ? assigned : nodes.childNodes(nodes.shadowRoot(element) ?? element);
}
