// Makes rectangles of two points, and compares them; pure.

import type { Point, Rectangle } from '../../shared/annotations.ts';

/** Pixels; what is smaller in one direction was a click (seed 004, edge case 5). */
export const SMALLEST = 5;

export function spanned(one: Point, other: Point): Rectangle {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
}

export function isLargeEnough({ width, height }: Rectangle): boolean {
  return width >= SMALLEST && height >= SMALLEST;
}

export function areaOf({ width, height }: Rectangle): number {
  return width * height;
}

/** The area that two rectangles have in common, in px². */
export function commonArea(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * How well a box fits a rectangle, from 0 to 1: the part that both have of what either has
 * (https://en.wikipedia.org/wiki/Jaccard_index). The overlap alone would favour what is around everything.
 */
export function fitOf(box: Rectangle, rectangle: Rectangle): number {
  const common = commonArea(box, rectangle);
  return common && common / (areaOf(box) + areaOf(rectangle) - common);
}

/** Pixels by which a hand misses an edge, and that it leaves as a margin at most, or as this part of a long side. */
const MISSED = 3;
const MARGIN = 12;
const SLOPPY = 0.06;

/** Whether a rectangle was drawn closely around a box. */
export function isCloseAround(rectangle: Rectangle, box: Rectangle): boolean {
  const across = Math.max(MARGIN, SLOPPY * rectangle.width);
  const down = Math.max(MARGIN, SLOPPY * rectangle.height);
  const [left, top] = [box.x - rectangle.x, box.y - rectangle.y];
  const right = rectangle.width - box.width - left;
  const bottom = rectangle.height - box.height - top;
  const isWithin = (slack: number, most: number) => slack >= -MISSED && slack <= most;
  return isWithin(left, across) && isWithin(right, across) && isWithin(top, down) && isWithin(bottom, down);
}

export function isWithin({ x, y, width, height }: Rectangle, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

/** Whether a box has all of a rectangle within, but for a margin that a hand leaves. */
export function isAround(box: Rectangle, { x, y, width, height }: Rectangle): boolean {
  const [across, down] = [Math.min(MARGIN, width / 4), Math.min(MARGIN, height / 4)];
  return (
    box.x <= x + across &&
    box.y <= y + down &&
    box.x + box.width >= x + width - across &&
    box.y + box.height >= y + height - down
  );
}
