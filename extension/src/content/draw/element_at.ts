// Finds the element that an arrow points at: the innermost at its tip that is worked with, or is said or shown by itself.

import type { Point } from '../../shared/annotations.ts';
import { nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { boxesIn, MEANT, type Meant, named, seenIn } from './element_under.ts';
import { onTop } from './layers.ts';
import { areaOf, isWithin } from './rectangles.ts';

/** Of the smallest ones it is looked up whether they can be seen. */
const LOOKED_AT = 60;

const CSS = MEANT.join(', ');

/** The element that a point of the viewport means, and never the body; empty names if there is none. */
export function elementAt(point: Point): Meant {
  const trees = treesOf(document);
  const seen = trees
    .flatMap(boxesIn)
    .filter(({ box }) => isWithin(box, point))
    .map((found, order) => ({ ...found, order }))
    .sort((one, other) => areaOf(one.box) - areaOf(other.box) || other.order - one.order)
    .slice(0, LOOKED_AT)
    .filter(seenIn(trees));
  const there = onTop(seen, (box) => isWithin(box, point));
  return named(trees, there.find(({ element }) => nodes.matches(element, CSS)) ?? there[0]);
}
