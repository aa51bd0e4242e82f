// Writes the selector that finds one element again and nothing else; it must prove that by counting.

import { isGenerated } from './generated_ids.ts';
import { hasMatch, isDocument, isHtml, isOurs, matchesIn, nodes } from './nodes.ts';
import { countOf, search, type Tree } from './search.ts';
import { stepsOf } from './selector_parser.ts';

/** Longer ids and names are no good to read, and slow to match. */
export const HANDLE_CHARACTERS = 100;

/** What has been found out so far, in one survey of the page, that serves more than one selector. */
interface Proofs {
  /** By tree and selector: exactly one element matches there. */
  alone: Map<Tree, Map<string, boolean>>;
  /** By selector: nothing matches but in the page's own document. */
  pageOnly: Map<string, boolean>;
  /** The selectors of hosts and frames. */
  openers: Map<Element, string>;
  siblings: Siblings;
}

/** What a path needs to know of an element's siblings. */
export interface Siblings {
  /** One of them has the same tag. */
  hasTwin: (element: Element) => boolean;
  /** Its place among all of them, the first being 1. */
  place: (element: Element) => number;
}

/** The children of one parent, counted once: each of thousands of rows asks for its place. */
type Family = { places: Map<Element, number>; tags: Map<string, number> };

/** Writes selectors for the elements of one survey of the page. */
export function selectorWriter(
  trees: Tree[],
  siblings: Siblings = countedSiblings(),
): (element: Element, tree: Tree) => string {
  const proofs: Proofs = { alone: new Map(), pageOnly: new Map(), openers: new Map(), siblings };
  for (const tree of trees) proofs.alone.set(tree, new Map());
  return (element, tree) => {
    const selector = selectorOf(element, tree, proofs);
    const proven = isPageOnly(trees, stepsOf(selector)[0] ?? '', proofs) || countOf(search(trees, selector)) === 1;
    return proven ? selector : `>>> ${selector}`;
  };
}

/** Write the way to an element from the page's own document, a step for each tree. */
function selectorOf(element: Element, tree: Tree, proofs: Proofs): string {
  const own = selectorIn(tree, element, proofs);
  if (!tree.opener || !tree.outer) return own;
  const opener = proofs.openers.get(tree.opener) ?? selectorOf(tree.opener, tree.outer, proofs);
  proofs.openers.set(tree.opener, opener);
  return `${opener} >>> ${own}`;
}

/**
 * Write the best selector that is unique in the element's own tree. A class comes after a path from a handle, for it is
 * often a passing state (`li.active`), but before a path from the root, which any change above breaks.
 */
function selectorIn(tree: Tree, element: Element, proofs: Proofs): string {
  const brief = [...handlesOf(element), ...namesOf(element)].find((css) => isAlone(tree, css, proofs));
  if (brief) return brief;
  const anchor = anchorOf(tree, element, proofs);
  const path = pathTo(tree, element, anchor, (at) => stepTo(at, proofs));
  if (anchor?.firm && isAlone(tree, path, proofs)) return path;
  const other = [...classesOf(element), path].find((css) => isAlone(tree, css, proofs));
  return other ?? pathTo(tree, element, null, (at) => `:nth-child(${proofs.siblings.place(at)})`);
}

/** Whether exactly one element of the tree matches. */
function isAlone(tree: Tree, css: string, { alone }: Proofs): boolean {
  const known = alone.get(tree) as Map<string, boolean>;
  const is = known.get(css) ?? matchesIn(tree.root, css).length === 1;
  known.set(css, is);
  return is;
}

/** Whether a first step, unique in the page's own document, is met nowhere else: then so is all that follows it. */
function isPageOnly([, ...others]: Tree[], css: string, { pageOnly }: Proofs): boolean {
  const is = pageOnly.get(css) ?? !others.some(({ root }) => hasMatch(root, css));
  pageOnly.set(css, is);
  return is;
}

/** What a page's author gave the element to be known by; an id that a library generates is another one at the next load. */
function handlesOf(element: Element): string[] {
  const authored = legible(nodes.attribute(element, 'id')).filter((id) => !isGenerated(id));
  const ids = authored.map((id) => `#${CSS.escape(id)}`);
  return [...ids, ...legible(nodes.attribute(element, 'data-testid')).map((id) => `[data-testid="${quoted(id)}"]`)];
}

/** What else names the element: its name, its tag. */
function namesOf(element: Element): string[] {
  const tag = CSS.escape(nodes.tag(element));
  return [...legible(nodes.attribute(element, 'name')).map((name) => `${tag}[name="${quoted(name)}"]`), tag];
}

/** Return its tag with each of its first classes. */
function classesOf(element: Element): string[] {
  const classes = (nodes.attribute(element, 'class') ?? '').split(/\s+/).flatMap(legible).slice(0, 3);
  return classes.map((name) => `${CSS.escape(nodes.tag(element))}.${CSS.escape(name)}`);
}

/** Return the value, if it can be part of a selector that people read, or nothing. */
function legible(value: string | null): string[] {
  const fits = value && value.length <= HANDLE_CHARACTERS && value.isWellFormed() && !/[\0-\x1F\x7F]/.test(value);
  return fits ? [value] : [];
}

/** Return the value as it is written between double quotes in CSS. */
export function quoted(value: string): string {
  return value.replace(/["\\]/g, '\\$&');
}

/** Where a path may begin; firm, if that has a handle. */
type Anchor = { ancestor: Element; css: string; firm: boolean };

/** Find the nearest ancestor with a handle, else the body. */
function anchorOf(tree: Tree, element: Element, proofs: Proofs): Anchor | null {
  for (let at = nodes.parent(element); at && at !== tree.root; at = nodes.parent(at)) {
    const ancestor = at as Element;
    const css = handlesOf(ancestor).find((handle) => isAlone(tree, handle, proofs));
    if (css) return { ancestor, css, firm: true };
    if (isHtml(ancestor, 'body') && isAlone(tree, 'body', proofs)) return { ancestor, css: 'body', firm: false };
  }
  return null;
}

/** Write the way down to an element from an anchor, else from the root of its tree. */
function pathTo(tree: Tree, element: Element, anchor: Anchor | null, step: (element: Element) => string): string {
  const steps = [];
  let at: Node | null = element;
  for (; at && at !== tree.root && at !== anchor?.ancestor; at = nodes.parent(at)) {
    const isTop = isDocument(tree.root) && nodes.parent(at) === tree.root;
    steps.unshift(isTop ? ':root' : step(at as Element));
  }
  if (anchor) steps.unshift(anchor.css);
  else if (!isDocument(tree.root)) steps.unshift(':host');
  return steps.join(' > ');
}

/** Return its tag, with its place if a sibling has the same tag. */
function stepTo(element: Element, { siblings }: Proofs): string {
  return CSS.escape(nodes.tag(element)) + (siblings.hasTwin(element) ? `:nth-child(${siblings.place(element)})` : '');
}

/** Know siblings by counting each family once, for many elements. */
function countedSiblings(): Siblings {
  const families: Map<Node, Family> = new Map();
  const familyOf = (element: Element) => {
    const parent = nodes.parent(element) ?? element;
    const family = families.get(parent) ?? familyIn(parent);
    families.set(parent, family);
    return family;
  };
  return {
    hasTwin: (element) => (familyOf(element).tags.get(nodes.tag(element)) ?? 0) > 1,
    place: (element) => familyOf(element).places.get(element) ?? 1,
  };
}

function familyIn(parent: Node): Family {
  const family = { places: new Map(), tags: new Map() };
  for (const child of nodes.childNodes(parent)) {
    if (child.nodeType !== 1 || isOurs(child)) continue;
    const tag = nodes.tag(child as Element);
    family.places.set(child, family.places.size + 1);
    family.tags.set(tag, (family.tags.get(tag) ?? 0) + 1);
  }
  return family;
}
