// Names an element of this page so that it is found again; it must bear any page, and answer with a tag at worst.

import { isDocument, nodes } from './nodes.ts';
import type { Tree } from './search.ts';
import { HANDLE_CHARACTERS, type Siblings, selectorWriter } from './selectors.ts';
import { clip } from './text.ts';

const NO_ELEMENTS: NodeListOf<Element> = new DocumentFragment().querySelectorAll('*');

/** Known to the browser, that shows none of them to this world: each would cost more than its count. */
const ASKED_SIBLINGS: Siblings = {
  hasTwin: (element) => !nodes.matches(element, ':only-of-type'),
  place: (element) =>
    nodes.evaluate(document, 'count(preceding-sibling::*)', element, null, XPathResult.NUMBER_TYPE).numberValue + 1,
};

/**
 * Return the selector that finds this element alone in its own document or shadow root, and that root from the page's.
 *
 * It looks at no other element, for it runs before the page's listeners of a key: to list 120,000 takes 200 ms.
 */
export function nameOf(node: Node | null): string {
  const element = node instanceof Element ? node : (node?.parentElement ?? null);
  if (!element?.isConnected) return element ? nodes.tag(element) : '';
  try {
    const trees = treesAbove(element);
    return selectorWriter(trees, ASKED_SIBLINGS)(element, trees.at(-1) as Tree);
  } catch {
    return nodes.tag(element);
  }
}

/** List the trees from the page's own document down to that of an element, without what they hold. */
function treesAbove(element: Element): Tree[] {
  const root = nodes.root(element) as Document | ShadowRoot;
  const opener = isDocument(root) ? null : root.host;
  const trees = opener ? treesAbove(opener) : [];
  const tree = { root, opener, outer: trees.at(-1) ?? null, elements: NO_ELEMENTS, inner: new Map() };
  return [...trees, tree];
}

/** Name an element cheaply, where many are named: by its id, or its tag and its first classes. */
export function briefNameOf(node: Node | null | undefined): string {
  if (!(node instanceof Element)) return '';
  const id = nodes.attribute(node, 'id');
  if (id) return `#${CSS.escape(clip(id, HANDLE_CHARACTERS))}`;
  const classes = (nodes.attribute(node, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 2);
  return clip([nodes.tag(node), ...classes.map((name) => CSS.escape(name))].join('.'), HANDLE_CHARACTERS);
}
