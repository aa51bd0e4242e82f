// Draws and changes figures by arrow keys: arrows move, with Shift they stretch, with Alt by single pixels; pure.

import type { Point, Shape } from '../../shared/annotations.ts';
import type { Figure } from '../../shared/figures.ts';
import { handlesOf, keyHandle, movedBy, stretched } from './figure_geometry.ts';

/** Pixels that an arrow key moves or stretches by; with Alt one. */
const STRIDE = 16;

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Half the size of what the first arrow key puts into the middle of the window. */
const HALF: Record<Shape, Point> = {
  rectangle: { x: 80, y: 32 },
  arrow: { x: 40, y: 40 },
  freehand: { x: 0, y: 0 },
};

export type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey'>;

export function isArrowKey({ key }: Keys): boolean {
  return key in ARROWS;
}

/** What drawing by keyboard begins with. */
export function firstFigure(shape: Shape, width: number, height: number): Figure {
  const { x, y } = HALF[shape];
  const [across, down] = [width / 2, height / 2];
  const [from, to] = [
    { x: across - x, y: down - y },
    { x: across + x, y: down + y },
  ];
  return { shape, points: shape === 'freehand' ? [from] : [from, to] };
}

/** Change a figure that is there. */
export function steered(figure: Figure, keys: Keys): Figure {
  const by = strideOf(keys);
  if (!keys.shiftKey) return movedBy(figure, by);
  const handle = keyHandle(figure);
  return stretched(figure, handle, plus(handlesOf(figure)[handle] as Point, by));
}

/** Change a figure that is being drawn: a freehand line goes on from its end. */
export function drawnOn(figure: Figure, keys: Keys): Figure {
  if (figure.shape !== 'freehand' || !keys.shiftKey) return steered(figure, keys);
  return { ...figure, points: [...figure.points, plus(figure.points.at(-1) as Point, strideOf(keys))] };
}

function strideOf({ key, altKey }: Keys): Point {
  const { x, y } = ARROWS[key] as Point;
  const stride = altKey ? 1 : STRIDE;
  return { x: x * stride, y: y * stride };
}

function plus(one: Point, other: Point): Point {
  return { x: one.x + other.x, y: one.y + other.y };
}
