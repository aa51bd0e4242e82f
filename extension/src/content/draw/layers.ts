// Knows what lies on top of the page where a person draws: our own overlay is what the browser would name.

import type { Rectangle } from '../../shared/annotations.ts';
import { nodes } from '../dom/nodes.ts';
import { around, boundsOf, contains, type Found } from '../dom/visibility.ts';

type Layer = Found & { height: number };

/** Of elements at a place keep those that are part of the layer on top there: what it hides was not meant. */
export function onTop<F extends Found>(found: F[], holdsPlace: (box: Rectangle) => boolean): F[] {
  const layers = found.flatMap(layersOf).filter((layer) => holdsPlace(boundsOf(layer)));
  const top = layers.reduce<Layer | undefined>((one, other) => (one && isAbove(one, other) ? one : other), undefined);
  const kept = top ? found.filter(({ element }) => contains(top.element, element)) : found;
  return kept.length ? kept : found;
}

/** The layers that an element is part of: what is placed by itself, and hides what is behind it. */
function layersOf({ element, tree }: Found): Layer[] {
  const layers: Layer[] = [];
  for (let at: Element | null = element; at; at = around(at)) {
    const { position, zIndex, backgroundColor, backgroundImage } = getComputedStyle(at);
    if (!/^(fixed|absolute|sticky)$/.test(position)) continue;
    const isOpaque = !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor) || backgroundImage !== 'none';
    const isTopmost = nodes.matches(at, ':popover-open, :modal');
    if (isOpaque) layers.push({ element: at, tree, height: isTopmost ? Infinity : Number(zIndex) || 0 });
  }
  return layers;
}

/** By z-index; of equal ones the later is above, and what is within a layer is above it. */
function isAbove(one: Layer, other: Layer): boolean {
  if (one.height !== other.height && !contains(one.element, other.element) && !contains(other.element, one.element))
    return one.height > other.height;
  return !(one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING);
}
