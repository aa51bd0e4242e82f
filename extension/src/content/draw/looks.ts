// Describes how an annotation's element looks, and finds it again later; it must only ever read the page.

import type { Look } from '../../shared/annotations.ts';
import { isSensitive } from '../dom/fields.ts';
import { locate } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { rounded } from '../dom/text.ts';
import { around, boundsOf, canBeSeen, type Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import { describeMatch, LIMITS, textOf } from '../read/describe_element.ts';

/** What a person sees of an element, beside its text and its box. */
const STYLES = [
  'background-color',
  'background-image',
  'border',
  'border-radius',
  'box-shadow',
  'color',
  'display',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'opacity',
  'padding',
  'text-align',
  'text-decoration-line',
  'text-transform',
  'transform',
];

const PLACE = /:nth-(child|of-type)\(/;

/** How an element looks now; undefined for one that is not there. */
export function lookAt(selector: string): Look | undefined {
  const found = selector ? locate(treesOf(document), selector)[0] : undefined;
  return found && lookOf(found, selector);
}

/** Find the elements of annotations again, and describe them; null for each that is gone. */
export function looksOf({ annotations }: Query): { url: string; looks: (Look | null)[] } {
  const trees = treesOf(document);
  const looks = (annotations as { selector: string; look: Look }[]).map(({ selector, look }) => {
    const found = foundAgain(trees, selector, look);
    return found ? lookOf(found, selector) : null;
  });
  return { url: location.href, looks };
}

export function lookOf(found: Found, selector: string): Look {
  const { element, tree } = found;
  const wish = { styles: STYLES, depth: 0 };
  const { tag, text, styles } = describeMatch(element, tree, selector, wish, { left: LIMITS.answer });
  const box = boundsOf(found);
  const next = nodes.next(element);
  return {
    tag,
    text: isSensitive(element) ? '' : text,
    styles: styles ?? {},
    box: { x: rounded(box.x), y: rounded(box.y), width: rounded(box.width), height: rounded(box.height) },
    from: placeOf(element),
    ...(next && nodes.tag(next) === tag && !isSensitive(next) && { next: textOf(next).text }),
    ...(!canBeSeen(found) && { hidden: true }),
    ...(nodes.matches(element, ':hover') && { hovered: true }),
    ...(nodes.matches(element, ':focus-within') && { focused: true }),
  };
}

/** Where an element is in the flow: of these distances one stays in each direction, whatever comes and goes before it. */
function placeOf(element: Element): Look['from'] {
  const { x, y } = nodes.box(element);
  const parent = around(element);
  const outer = parent && nodes.box(parent);
  const previous = nodes.previous(element);
  const before = previous && nodes.box(previous);
  const edges = (...places: (number | undefined | null)[]) => places.filter((place) => typeof place === 'number');
  return {
    x: edges(outer?.left, before?.left, before?.right).map((edge) => rounded(x - edge)),
    y: edges(outer?.top, before?.top, before?.bottom).map((edge) => rounded(y - edge)),
  };
}

/**
 * Find an element again: what its selector names, unless that is another one by its text. Then the one that has the old text
 * is it; without one, what has come into the place of an element that was removed is not.
 */
function foundAgain(trees: Tree[], selector: string, look: Look): Found | undefined {
  const [there] = selector ? locate(trees, selector) : [];
  if (there && (!look.text || textOf(there.element).text === look.text)) return there;
  const same = look.text ? trees.flatMap((tree) => withText(tree, look)) : [];
  if (same.length === 1) return same[0];
  const isNextOne =
    there && PLACE.test(selector) && look.next !== undefined && textOf(there.element).text === look.next;
  return isNextOne ? undefined : there;
}

function withText(tree: Tree, { tag, text }: Look): Found[] {
  return [...tree.elements]
    .filter((element) => nodes.tag(element) === tag && textOf(element).text === text)
    .map((element) => ({ element, tree }));
}
