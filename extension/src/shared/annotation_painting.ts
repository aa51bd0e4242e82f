// Paints annotations on a canvas or a picture: a figure and a number each, in the colour of their kind, readable on any ground.

import type { AnnotationKind, Point } from './annotations.ts';
import { boxOf, distance, type Figure, type Painted, type Sketch } from './figures.ts';

/** Contrast with white, the colour of the numbers: 4.6 to 6.5 (WCAG 2.2, 1.4.3). */
export const COLOURS: Record<AnnotationKind, string> = {
  bug: '#d1242f',
  suggestion: '#1f6feb',
  question: '#8250df',
};

/** Across a number, in pixels of the page. */
export const BADGE = 22;

export const WHITE = 'rgba(255, 255, 255, 0.9)';

const LINE = 3;
const HALO = 1.5;
const CORNER = 4;
const HEAD = 16;

/** What a canvas of a page and one of a worker have in common. */
export type Pen = Omit<OffscreenCanvasRenderingContext2D, 'canvas'>;

/** Paint annotations with their numbers, and the sketch that is being drawn; `density`: pixels for each of the page's. */
export function paint(pen: Pen, density: number, annotations: readonly Painted[], sketch?: Sketch) {
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.lineCap = pen.lineJoin = 'round';
  for (const { figure, kind } of annotations) paintFigure(pen, figure, COLOURS[kind]);
  annotations.forEach(({ badge, kind }, at) => paintNumber(pen, badge, at + 1, COLOURS[kind]));
  if (sketch) paintFigure(pen, sketch.figure, COLOURS[sketch.kind]);
}

/** A coloured line between two white ones, so that it is seen on the same colour. */
function paintFigure(pen: Pen, figure: Figure, colour: string) {
  trace(pen, figure);
  pen.lineWidth = LINE + 2 * HALO;
  pen.strokeStyle = WHITE;
  pen.stroke();
  pen.lineWidth = LINE;
  pen.strokeStyle = colour;
  pen.stroke();
}

function trace(pen: Pen, figure: Figure) {
  pen.beginPath();
  if (figure.shape === 'rectangle') {
    const { x, y, width, height } = boxOf(figure);
    pen.roundRect(x, y, width, height, CORNER);
  } else if (figure.shape === 'arrow') traceArrow(pen, figure.points);
  else for (const { x, y } of figure.points) pen.lineTo(x, y);
}

function traceArrow(pen: Pen, [from, to]: readonly Point[]) {
  if (!from || !to) return;
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const head = Math.min(HEAD, distance(from, to) / 2);
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  for (const side of [-1, 1]) {
    const back = angle + Math.PI - (side * Math.PI) / 7;
    pen.moveTo(to.x + head * Math.cos(back), to.y + head * Math.sin(back));
    pen.lineTo(to.x, to.y);
  }
}

function paintNumber(pen: Pen, { x, y }: Point, number: number, colour: string) {
  pen.beginPath();
  pen.arc(x, y, BADGE / 2, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.lineWidth = HALO;
  pen.strokeStyle = '#ffffff';
  pen.stroke();
  pen.fillStyle = '#ffffff';
  pen.font = '600 12px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(String(number), x, y + 0.5);
}
