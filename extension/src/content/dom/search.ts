// Finds elements through open shadow roots and frames of the same origin; it must not look into closed roots.
//
// The order is that of the composed page: what a host or a frame opens comes right after it, before its own children.

import { fail } from './faults.ts';
import { translated, written } from './foreign_selectors.ts';
import { type Elements, isHtml, matchesIn, nodes } from './nodes.ts';
import { stepsOf } from './selector_parser.ts';
import { clip } from './text.ts';

/** One document or open shadow root of the page, and what opens it. */
export interface Tree {
  root: Document | ShadowRoot;
  /** The host or the frame; null for the page's own document. */
  opener: Element | null;
  /** The tree of the opener. */
  outer: Tree | null;
  elements: Elements;
  /** By opener, in order. */
  inner: Map<Element, Tree>;
}

/** A part that is no CSS: it follows `>>` (locate.ts). */
const BY_WORDS = /^(text|role|label|placeholder|testid|ref)=/;

/** What a selector found: the matches of each tree in which it was looked for. */
export type Finding = Map<Tree, Elements>;

/** Return the tree that an element opens: its open shadow root, or the document of a frame of the same origin. */
export function openedBy(element: Element): Document | ShadowRoot | null {
  return nodes.shadowRoot(element) ?? (isHtml(element, 'iframe') ? nodes.frameDocument(element as any) : null);
}

/** List every tree of the page, the page's own document first, each before those inside it. */
export function treesOf(
  root: Document | ShadowRoot,
  opener: Element | null | null = null,
  outer: Tree | null | null = null,
): Tree[] {
  const tree: Tree = { root, opener, outer, elements: matchesIn(root, '*'), inner: new Map() };
  const trees = [tree];
  for (const element of tree.elements) {
    const opened = openedBy(element);
    if (!opened) continue;
    const [inner, ...deeper] = treesOf(opened, element, tree);
    tree.inner.set(element, inner as Tree);
    trees.push(inner as Tree, ...deeper);
  }
  return trees;
}

/**
 * Look for a selector, written as selector_parser.ts defines it.
 * @throws DOMException a step does not parse
 */
export function search(trees: Tree[], selector: string): Finding {
  let [first = '', ...steps] = stepsOf(selector);
  let places = trees;
  if (!first && steps.length) {
    places = trees.slice(0, 1);
    first = steps.shift() as string;
  }
  let found = within(places, first);
  for (const step of steps) found = within(openedIn(found), step);
  return found;
}

/**
 * Check that every step of a selector can be looked for, also where an earlier step finds nothing.
 * @throws DOMException a step does not parse
 */
function parse(selector: string) {
  const [first = '', ...steps] = stepsOf(selector);
  const nothing = new DocumentFragment();
  for (const step of first || !steps.length ? [first, ...steps] : steps) nothing.querySelector(step);
}

function within(trees: Tree[], css: string): Finding {
  return new Map(trees.map((tree) => [tree, matchesIn(tree.root, css)]));
}

/** Return the trees that found elements open. */
function openedIn(found: Finding): Tree[] {
  return [...found].flatMap(([tree, elements]) => [...elements].flatMap((element) => tree.inner.get(element) ?? []));
}

export function countOf(found: Finding): number {
  let count = 0;
  for (const elements of found.values()) count += elements.length;
  return count;
}

/** Iterate over what was found, in composed order; `tree` is the page's own. */
export function* inOrder(found: Finding, tree: Tree): Generator<{ element: Element; tree: Tree }> {
  const matches = found.get(tree) ?? [];
  if (!tree.inner.size) {
    for (const element of matches) yield { element, tree };
    return;
  }
  const wanted = new Set(matches);
  for (const element of tree.elements) {
    if (wanted.has(element)) yield { element, tree };
    const inner = tree.inner.get(element);
    if (inner) yield* inOrder(found, inner);
  }
}

/** Look for a selector, which may be a part of the `whole` one; one that does not parse is refused. */
export function searchOrRefuse(trees: Tree[], selector: string, whole: string = selector): Finding {
  try {
    parse(selector);
    return search(trees, selector);
  } catch (fault) {
    if (!(fault instanceof DOMException)) throw fault;
    const words = stepsOf(selector).find((step, at) => at && BY_WORDS.test(step));
    if (words) refuseStep(selector, words);
    return refuseSelector(selector, whole);
  }
}

function refuseSelector(selector: string, whole: string): never {
  const meant = translated(whole);
  return fail('invalid_params', `The selector ${JSON.stringify(clip(selector, 500))} is not valid CSS.`, {
    details: { parameter: 'selector', value: clip(whole, 500) },
    recovery: meant
      ? `Use ${written(meant)}; or text=, label=, ref= of interact(action:"list_interactive").`
      : 'A selector is CSS, or text=Save, role=button[name="Save"], label=, placeholder=, testid=, ref=.',
  });
}

function refuseStep(selector: string, step: string): never {
  const [shown, outer] = [
    clip(step, 200),
    clip(
      selector
        .slice(0, selector.lastIndexOf(step))
        .replace(/>>>\s*$/, '')
        .trim(),
      200,
    ),
  ];
  return fail('invalid_params', `${JSON.stringify(shown)} cannot follow >>>, which takes CSS alone.`, {
    details: { parameter: 'selector', value: clip(selector, 500) },
    recovery: `Use ${JSON.stringify(`${outer} >> ${shown}`)}, which looks into open shadow roots and frames of the same origin; in any other frame ${shown} with frame:${JSON.stringify(outer)}.`,
  });
}

export function treeOf(element: Element): Tree {
  const root = nodes.root(element);
  return treesOf(document).find((tree) => tree.root === root) as Tree;
}
