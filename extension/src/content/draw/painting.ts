// Paints annotations on a canvas: a figure and a number each, in the colour of their kind, readable on any ground.

import type { AnnotationKind, Point } from '../../shared/annotations.ts';
import { boxOf, distance, type Figure, handlesOf } from './figures.ts';
import { BADGE, HANDLE, type Painted, type Size, type Sketch } from './grips.ts';
import { cornersOf } from './rectangles.ts';

/** Contrast with white, the colour of the numbers: 4.6 to 6.5 (WCAG 2.2, 1.4.3). */
export const COLOURS: Record<AnnotationKind, string> = {
  bug: '#d1242f',
  suggestion: '#1f6feb',
  question: '#8250df',
};

const LINE = 3;
const HALO = 1.5;
const CORNER = 4;
const HEAD = 16;
const WHITE = 'rgba(255, 255, 255, 0.9)';

/** Fit the canvas to the window at the screen's own density: a pixel of it is one of the screen. */
export function fitCanvas(canvas: HTMLCanvasElement, { width, height }: Size) {
  const density = devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${canvas.width / density}px`;
  canvas.style.height = `${canvas.height / density}px`;
}

/** Paint the annotations with their numbers, the selected one with its handles, and the sketch that is being drawn. */
export function paint(canvas: HTMLCanvasElement, annotations: readonly Painted[], sketch: Sketch | undefined) {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const density = devicePixelRatio || 1;
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.lineCap = pen.lineJoin = 'round';
  for (const { figure, kind } of annotations) paintFigure(pen, figure, COLOURS[kind]);
  annotations.forEach(({ badge, kind }, at) => paintNumber(pen, badge, at + 1, COLOURS[kind]));
  if (sketch) paintFigure(pen, sketch.figure, COLOURS[sketch.kind]);
  for (const { figure, kind, isSelected } of annotations) if (isSelected) paintHandles(pen, figure, COLOURS[kind]);
}

/** A coloured line between two white ones, so that it is seen on the same colour. */
function paintFigure(pen: CanvasRenderingContext2D, figure: Figure, colour: string) {
  trace(pen, figure);
  pen.lineWidth = LINE + 2 * HALO;
  pen.strokeStyle = WHITE;
  pen.stroke();
  pen.lineWidth = LINE;
  pen.strokeStyle = colour;
  pen.stroke();
}

function trace(pen: CanvasRenderingContext2D, figure: Figure) {
  pen.beginPath();
  if (figure.shape === 'rectangle') {
    const { x, y, width, height } = boxOf(figure);
    pen.roundRect(x, y, width, height, CORNER);
  } else if (figure.shape === 'arrow') traceArrow(pen, figure.points);
  else for (const { x, y } of figure.points) pen.lineTo(x, y);
}

function traceArrow(pen: CanvasRenderingContext2D, [from, to]: readonly Point[]) {
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

function paintNumber(pen: CanvasRenderingContext2D, { x, y }: Point, number: number, colour: string) {
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

/** The handles of what is selected, and its box in dashes where its line is no box itself. */
function paintHandles(pen: CanvasRenderingContext2D, figure: Figure, colour: string) {
  if (figure.shape === 'freehand') paintBox(pen, figure, colour);
  for (const { x, y } of handlesOf(figure)) {
    pen.beginPath();
    pen.roundRect(x - HANDLE / 2, y - HANDLE / 2, HANDLE, HANDLE, 2);
    pen.fillStyle = '#ffffff';
    pen.fill();
    pen.lineWidth = 2;
    pen.strokeStyle = colour;
    pen.stroke();
  }
}

function paintBox(pen: CanvasRenderingContext2D, figure: Figure, colour: string) {
  const corners = cornersOf(boxOf(figure));
  for (const [width, style, dash] of [
    [3, WHITE, []],
    [1.5, colour, [4, 4]],
  ] as const) {
    pen.beginPath();
    for (const { x, y } of corners) pen.lineTo(x, y);
    pen.closePath();
    pen.lineWidth = width;
    pen.strokeStyle = style;
    pen.setLineDash([...dash]);
    pen.stroke();
  }
  pen.setLineDash([]);
}
