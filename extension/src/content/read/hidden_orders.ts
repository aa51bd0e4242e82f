// Finds text that a page does not show and that reads like orders to an assistant; it must only ever read the page.
//
// A page that states such things openly states them to a person too. What is kept from a person and is read by an assistant
// (in the DOM, in names) has no other reader. order_words.ts decides by words alone.

import { nameOf } from '../dom/naming.ts';
import { isDocument, matchesIn, nodes } from '../dom/nodes.ts';
import type { Tree } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { isOutOfSight } from '../dom/visibility.ts';
import { hasAWord, readsLikeOrders } from './order_words.ts';

export type HiddenOrder = { selector: string; text: string };

const LIMITS = { found: 5, text: 200, around: 2_000, read: 50_000 };

/** The least that can be read, in pixels: Chrome's own least is 0. */
const READABLE_PX = 3;

/** Attributes that name an element, which a person does not see as they are. */
const NAMES = ['aria-label', 'aria-description', 'alt', 'title'];
const NAMED = NAMES.map((name) => `[${name}]`).join();

/** Not text of the page: code, and what stands in place of scripts. */
const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'title', 'textarea']);

/** What a part of a sentence may be in. */
const PHRASING = new Set(['a', 'b', 'code', 'em', 'font', 'i', 'mark', 'small', 'span', 'strong', 'sub', 'sup', 'u']);

/** Return the first of them, each at its element. */
export function hiddenOrders(trees: Tree[]): HiddenOrder[] {
  const found = new Map<Element, string>();
  let left = LIMITS.read;
  for (const { root } of trees) {
    const walker = nodes.walker(isDocument(root) ? root : root.ownerDocument, root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && left-- > 0; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      if (!hasAWord(text)) continue;
      const element = node.parentElement;
      if (!element || found.has(element) || NO_TEXT.has(nodes.tag(element))) continue;
      const order = orderIn(element, text);
      if (order && isHidden(element)) found.set(element, order);
      if (found.size >= LIMITS.found) return listed(found);
    }
  }
  for (const { root } of trees)
    for (const element of matchesIn(root, NAMED)) {
      if (left-- <= 0 || found.size >= LIMITS.found) return listed(found);
      const order = NAMES.map((name) => nodes.attribute(element, name) ?? '').find(readsLikeOrders);
      if (order && !found.has(element)) found.set(element, order);
    }
  return listed(found);
}

/** Return the order that a text is, or is a part of: its words may be spread over inline elements. */
function orderIn(element: Element, text: string): string | undefined {
  const parent = PHRASING.has(nodes.tag(element)) ? element.parentElement : null;
  return [text, nodes.text(element), parent && nodes.text(parent)]
    .map((one) => clip(one ?? '', LIMITS.around))
    .find(readsLikeOrders);
}

function isHidden(element: Element): boolean {
  if (!nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true }) || isOutOfSight(element))
    return true;
  const { fontSize, color } = getComputedStyle(element);
  return parseFloat(fontSize) < READABLE_PX || isTransparent(color) || color === groundOf(element);
}

/** Return the color behind an element, as far as one is set; a picture may lie there, so it is not looked for. */
function groundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    if (backgroundImage !== 'none') return '';
    if (!isTransparent(backgroundColor)) return backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}

function isTransparent(color: string): boolean {
  return /^rgba\(.*, 0\)$/.test(color);
}

function listed(found: Map<Element, string>): HiddenOrder[] {
  return Array.from(found, ([element, text]) => ({
    selector: nameOf(element),
    text: clip(text.replace(/\s+/g, ' ').trim(), LIMITS.text),
  }));
}
