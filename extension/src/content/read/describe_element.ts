// Describes an element by attributes, text, box, sight, styles, children; it must never show what a password field holds.

import { isSensitive } from '../dom/fields.ts';
import { isHtml, isOurs, nodes } from '../dom/nodes.ts';
import { openedBy, type Tree } from '../dom/search.ts';
import { clip, rounded } from '../dom/text.ts';
import type { Box } from '../dom/visibility.ts';
import { isVisible, viewOf } from '../dom/visibility.ts';

/** Limits of seed 002, and of Gasoline where it sets none. */
export const LIMITS = {
  matches: 50,
  depth: 5,
  text: 500,
  attribute: 500, // +
  url: 2000, // +
  // + Characters of text, attributes and styles in one answer. Without it, an answer of 50 elements with five levels of
  // children can hold the whole page fifty times over.
  answer: 1_000_000,
};

/** Properties that are returned when none are named (seed 002). */
export const LAYOUT_PROPERTIES = [
  'display',
  'position',
  'width',
  'height',
  'margin',
  'padding',
  'flex',
  'grid',
  'visibility',
  'opacity',
  'overflow',
  'z-index',
  'color',
  'background-color',
  'font-size',
];

/** Elements with text that no reader sees: code, and markup that is not in the page. */
const TEXTLESS = new Set(['script', 'style', 'noscript', 'template']);

export interface Wish {
  /** The properties to return; null for none. */
  styles: string[] | null;
  /** How many levels of children. */
  depth: number;
}

/** How many characters the answer may still grow by. */
type Allowance = { left: number };

interface Child {
  tag: string;
  attributes: Record<string, string>;
  text: string;
  /** The text was cut. */
  truncated?: true;
  styles?: Record<string, string>;
  children?: Child[];
  /** How many children found no room in the answer. */
  omittedChildren?: number;
}

export type Match = Child & { selector: string; boundingBox: Box; visible: boolean };

/** Describe an element that was found. */
export function describeMatch(element: Element, tree: Tree, selector: string, wish: Wish, allowance: Allowance): Match {
  const box = nodes.box(element);
  const view = viewOf(tree);
  const { children, omittedChildren, ...described } = describe(element, wish, wish.depth, allowance);
  return {
    selector,
    ...described,
    boundingBox: {
      x: rounded(view.x + box.x * view.scaleX),
      y: rounded(view.y + box.y * view.scaleY),
      width: rounded(box.width * view.scaleX),
      height: rounded(box.height * view.scaleY),
    },
    visible: view.visible && isVisible(element, box),
    ...(children && { children }),
    ...(omittedChildren && { omittedChildren }),
  };
}

/** `depth`: levels of children below this one. */
function describe(element: Element, wish: Wish, depth: number, allowance: Allowance): Child {
  const { text, truncated } = textOf(element);
  const described: Child = {
    tag: nodes.tag(element),
    attributes: attributesOf(element),
    text,
    ...(truncated && { truncated }),
    ...(wish.styles && { styles: stylesOf(element, wish.styles) }),
  };
  allowance.left -= JSON.stringify(described).length;
  return depth > 0 ? { ...described, ...offspringOf(element, wish, depth - 1, allowance) } : described;
}

/** Describe the children while there is room, and count those for which there is none. */
function offspringOf(
  element: Element,
  wish: Wish,
  depth: number,
  allowance: Allowance,
): { children?: Child[]; omittedChildren?: number } {
  const children = [];
  let omitted = 0;
  for (const child of childrenOf(element)) {
    if (allowance.left > 0) children.push(describe(child, wish, depth, allowance));
    else omitted++;
  }
  return { ...(children.length && { children }), ...(omitted && { omittedChildren: omitted }) };
}

/** Go through the children as they are composed: what the element opens, then what it holds. */
function* childrenOf(element: Element): Generator<Element> {
  const opened = openedBy(element);
  yield* Array.from(opened?.children ?? []);
  for (let child = nodes.firstChild(element); child; child = nodes.next(child)) if (!isOurs(child)) yield child;
}

function attributesOf(element: Element): Record<string, string> {
  const hidden = nodes.attribute(element, 'value') !== null && holdsSecret(element) ? 'value' : '';
  return Object.fromEntries(
    Array.from(nodes.attributes(element), ({ name, value }) => [
      clip(name, LIMITS.attribute),
      name === hidden ? '[REDACTED]' : clip(value, LIMITS.attribute),
    ]),
  );
}

/** Whether a field holds a password, a card's number or the like, even if it is shown in clear text at the moment. */
function holdsSecret(element: Element): boolean {
  return isHtml(element, 'input') && isSensitive(element);
}

/**
 * Read the text of an element: its text nodes and those of its descendants, white space collapsed, without scripts,
 * styles, templates and `noscript`.
 */
export function textOf(element: Element): { text: string; truncated: boolean } {
  let text = '';
  for (const piece of piecesOf(element)) {
    text = (text + piece).replace(/\s+/g, ' ').trimStart();
    if (text.trimEnd().length > LIMITS.text) break;
  }
  text = text.trimEnd();
  return { text: clip(text, LIMITS.text), truncated: text.length > LIMITS.text };
}

/** Whether what an element holds is no text of the page, or is a secret that somebody has typed. */
function isTextless(element: Element): boolean {
  return TEXTLESS.has(nodes.tag(element)) || (isHtml(element, 'textarea') && isSensitive(element));
}

/** Return its text nodes, in pieces small enough that reading the first ones costs little. */
function* piecesOf(element: Element): Generator<string> {
  if (isTextless(element)) return;
  const wanted = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const walker = nodes.walker(document, element, wanted, (node) => {
    const textless = node.nodeType === 1 && isTextless(node as Element);
    return textless ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType !== 3) continue;
    const { data } = node as Text;
    for (let from = 0; from < data.length; from += 4096) yield data.slice(from, from + 4096);
  }
}

function stylesOf(element: Element, properties: string[]): Record<string, string> {
  const computed = getComputedStyle(element);
  return Object.fromEntries(
    properties.map((name) => [name, clip(computed.getPropertyValue(cssName(name)), LIMITS.attribute)]),
  );
}

/** Return `backgroundColor` as CSS spells it; a custom property as it is. */
function cssName(name: string): string {
  return name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
