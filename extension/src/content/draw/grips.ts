// Where an annotation's number and handles are, and what a press means: taking hold of one, moving it, or choosing it; pure.

import { BADGE } from '../../shared/annotation_painting.ts';
import type { Point } from '../../shared/annotations.ts';
import { boxOf, distance, type Figure, type Painted } from '../../shared/figures.ts';
import { handlesOf, isOnLine } from './figure_geometry.ts';
import { HANDLE } from './handles.ts';
import { commonArea, isWithin } from './rectangles.ts';

export type Size = { width: number; height: number };

/** The number of a handle, or the figure as a whole. */
export type Grip = number | 'move';

/** How far the number of what is selected leaves the corner, so that the handle there is free. */
const STEP_OUT = 16;

/** Pixels beside a line or a handle that still mean it; a finger needs more. */
const REACH = 6;
const FINGER = 14;

const reachOf = (pointer: string) => (pointer === 'touch' ? FINGER : REACH);

/** Where a number stands: on the upper left corner, or behind an arrow's tail; of what is in the window, inside of it. */
export function badgeOf(figure: Figure, { width, height }: Size, isSelected: boolean): Point {
  const out = isSelected ? STEP_OUT : 0;
  const { x, y, width: across, height: down } = boxOf(figure);
  const place = figure.shape === 'arrow' ? behindTail(figure.points, out) : { x: x - out, y: y - out };
  const seen = commonArea({ x, y, width: across + 1, height: down + 1 }, { x: 0, y: 0, width, height });
  return seen ? { x: inside(place.x, width), y: inside(place.y, height) } : place;
}

function inside(at: number, size: number): number {
  const least = BADGE / 2 + 2;
  return Math.max(least, Math.min(at, size - least));
}

function behindTail([from, to]: readonly Point[], out: number): Point {
  if (!from || !to) return { x: 0, y: 0 };
  const part = (BADGE / 2 + out) / (distance(from, to) || 1);
  return { x: from.x - (to.x - from.x) * part, y: from.y - (to.y - from.y) * part };
}

/** What a press takes hold of, if the figure is selected: by its inside too. */
export function gripAt(painted: Painted, point: Point, pointer: string): Grip | undefined {
  const { figure, badge } = painted;
  const reach = reachOf(pointer) + HANDLE / 2;
  const handles = handlesOf(figure).map((handle) => distance(handle, point));
  const nearest = handles.indexOf(Math.min(...handles));
  const off = handles[nearest] ?? reach;
  if (off < reach && off <= distance(badge, point)) return nearest;
  return isMet(painted, point, pointer) || isInside(figure, point) ? 'move' : undefined;
}

/** Whether a press at a point is on the figure's line or number. */
export function isMet({ figure, badge }: Painted, point: Point, pointer: string): boolean {
  return distance(badge, point) <= BADGE / 2 + 1 || isOnLine(figure, point, reachOf(pointer));
}

/** The number of the uppermost figure that a press is on. */
export function metBy(painted: readonly Painted[], point: Point, pointer: string): number | undefined {
  const at = painted.findLastIndex((one) => isMet(one, point, pointer));
  return at < 0 ? undefined : at;
}

/** An arrow has no inside. */
function isInside(figure: Figure, point: Point): boolean {
  return figure.shape !== 'arrow' && isWithin(boxOf(figure), point);
}
