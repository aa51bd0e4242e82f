// How what a person draws is moved, stretched, met by a press, and written into an annotation; pure.

import { type Annotation, PATH_POINTS, type Point, type Rectangle } from '../../shared/annotations.ts';
import { boxAround, boxOf, cornersOf, distance, type Figure } from '../../shared/figures.ts';
import { fitOf, isLargeEnough, SMALLEST, spanned } from './rectangles.ts';

/** Pixels that a simplified path may be off, if it has points left. */
const OFF = 1;

/** From this fit on, a rectangle was drawn around the element's edges, and follows them. */
const FRAMES = 0.5;

/** Whether it was drawn on purpose: a rectangle of 5 px both ways, a line of 5 px one way (seed 004, edge case 5). */
export function isOnPurpose(figure: Figure): boolean {
  const { width, height } = boxOf(figure);
  return figure.shape === 'rectangle'
    ? isLargeEnough({ x: 0, y: 0, width, height })
    : Math.max(width, height) >= SMALLEST;
}

export function movedBy({ shape, points }: Figure, by: Point): Figure {
  return { shape, points: points.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })) };
}

/** The points by which it is stretched: the ends of an arrow, else the corners of its box, clockwise. */
export function handlesOf(figure: Figure): readonly Point[] {
  return figure.shape === 'arrow' ? figure.points : cornersOf(boxOf(figure));
}

/** The handle that keys stretch by: an arrow's tip, else the lower right corner. */
export function keyHandle({ shape }: Figure): number {
  return shape === 'arrow' ? 1 : 2;
}

/** Take one of the handles to a point; the end or the corner across from it stays, and 5 px of the figure remain. */
export function stretched(figure: Figure, handle: number, to: Point): Figure {
  const { shape, points } = figure;
  if (shape === 'arrow') {
    const next = { shape, points: points.map((point, at) => (at === handle ? to : point)) };
    return isOnPurpose(next) ? next : figure;
  }
  const across = handlesOf(figure)[(handle + 2) % 4] as Point;
  const own = handlesOf(figure)[handle] as Point;
  return fitInto(figure, spanned(across, { x: atLeast(to.x, across.x, own.x), y: atLeast(to.y, across.y, own.y) }));
}

/** Keep the smallest distance from what stays, on the side where the handle is, or was. */
function atLeast(to: number, stays: number, was: number): number {
  const side = Math.sign(to - stays) || Math.sign(was - stays) || 1;
  return stays + side * Math.max(SMALLEST, Math.abs(to - stays));
}

function fitInto(figure: Figure, box: Rectangle): Figure {
  const old = boxOf(figure);
  const scale = (at: number, from: number, size: number, start: number, wanted: number) =>
    start + (size ? ((at - from) / size) * wanted : wanted / 2);
  return {
    shape: figure.shape,
    points: figure.points.map(({ x, y }) => ({
      x: scale(x, old.x, old.width, box.x, box.width),
      y: scale(y, old.y, old.height, box.y, box.height),
    })),
  };
}

/** Where a figure belongs once its element's box has changed: a frame around it follows its edges, the rest its corner. */
export function follow(figure: Figure, then: Rectangle, now: Rectangle): Figure {
  const moved = movedBy(figure, { x: now.x - then.x, y: now.y - then.y });
  const grown = { x: now.width - then.width, y: now.height - then.height };
  if (figure.shape !== 'rectangle' || (!grown.x && !grown.y) || fitOf(then, boxOf(figure)) < FRAMES) return moved;
  const { x, y, width, height } = boxOf(moved);
  return stretched(moved, 2, {
    x: x + Math.max(SMALLEST, width + grown.x),
    y: y + Math.max(SMALLEST, height + grown.y),
  });
}

/** Whether a point is on its line, or at most `reach` pixels beside it. */
export function isOnLine(figure: Figure, point: Point, reach: number): boolean {
  const [first, ...others] = figure.shape === 'rectangle' ? outlineOf(figure) : figure.points;
  if (!first) return false;
  let from = first;
  return others.some((to) => {
    const distance = distanceTo(from, to, point);
    from = to;
    return distance <= reach;
  });
}

function outlineOf(figure: Figure): Point[] {
  const corners = cornersOf(boxOf(figure));
  return [...corners, corners[0]];
}

/** The distance of a point from the line between two others. */
function distanceTo(from: Point, to: Point, point: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const part = length ? Math.max(0, Math.min(1, ((point.x - from.x) * dx + (point.y - from.y) * dy) / length)) : 0;
  return distance(point, { x: from.x + part * dx, y: from.y + part * dy });
}

/** A part of a path between two of its points, and the one between them that is farthest from the straight line. */
type Part = { first: number; last: number; farthest: number; off: number };

/**
 * Keep the points of a path that it is least like a straight line without, at most `most` of them
 * (https://en.wikipedia.org/wiki/Ramer–Douglas–Peucker_algorithm, the farthest point first).
 */
export function simplified(points: readonly Point[], most = PATH_POINTS): readonly Point[] {
  const kept = new Set([0, points.length - 1]);
  const parts = [partOf(points, 0, points.length - 1)];
  while (kept.size < most) {
    const bent = parts.reduce((one, other) => (other.off > one.off ? other : one));
    if (bent.off <= OFF) break;
    const { first, last, farthest } = bent;
    kept.add(farthest);
    parts.splice(parts.indexOf(bent), 1, partOf(points, first, farthest), partOf(points, farthest, last));
  }
  return points.filter((_, at) => kept.has(at));
}

function partOf(points: readonly Point[], first: number, last: number): Part {
  const [from, to] = [points[first] as Point, points[last] as Point];
  const part = { first, last, farthest: first, off: 0 };
  for (let at = first + 1; at < last; at++) {
    const off = distanceTo(from, to, points[at] as Point);
    if (off > part.off) Object.assign(part, { farthest: at, off });
  }
  return part;
}

/** The figure of an annotation. */
export function figureOf({ rect, shape, from, to, path }: Annotation): Figure {
  if (shape === 'arrow' && from && to) return { shape, points: [from, to] };
  if (shape === 'freehand' && path?.length) return { shape, points: path.map(([x, y]) => ({ x, y })) };
  const [corner, , opposite] = cornersOf(rect);
  return { shape: 'rectangle', points: [corner, opposite] };
}

type FigureFields = Pick<Annotation, 'rect' | 'shape' | 'from' | 'to' | 'path'>;

/** What an annotation states of its figure; lines in whole pixels. */
export function fieldsOf(figure: Figure): FigureFields {
  if (figure.shape === 'rectangle') return { rect: boxOf(figure) };
  const points = figure.points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  const rect = boxAround(points);
  if (figure.shape === 'freehand') return { rect, shape: 'freehand', path: points.map(({ x, y }) => [x, y]) };
  const [from, to] = points as [Point, Point];
  return { rect, shape: 'arrow', from, to };
}
