// The figures that a person draws, as points; pure.
//
// A rectangle has two opposite corners, an arrow its two ends (the tip is the last), a freehand line the points of its path.

import type { AnnotationKind, Point, Rectangle, Shape } from './annotations.ts';

export type Figure = { shape: Shape; points: readonly Point[] };

/** What is being drawn. */
export type Sketch = { figure: Figure; kind: AnnotationKind };

/** An annotation where it is now; `badge`: where its number stands. */
export type Painted = Sketch & { badge: Point };

export function boxOf({ points }: Figure): Rectangle {
  return boxAround(points);
}

/** The rectangle around points. */
export function boxAround(points: readonly Point[]): Rectangle {
  const [across, down] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

/** Upper left, upper right, lower right, lower left. */
export function cornersOf({ x, y, width, height }: Rectangle): [Point, Point, Point, Point] {
  const [right, bottom] = [x + width, y + height];
  return [
    { x, y },
    { x: right, y },
    { x: right, y: bottom },
    { x, y: bottom },
  ];
}

export function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
