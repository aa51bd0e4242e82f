// Paints annotations on a canvas or a picture: a frame and a number each, in the colour of their kind, readable on any ground.

import type { Annotation, AnnotationKind, Point, Rectangle } from './annotations.ts';

/** Contrast with white, the colour of the numbers: 4.6 to 6.5 (WCAG 2.2, 1.4.3). */
export const COLOURS: Record<AnnotationKind, string> = {
  bug: '#d1242f',
  suggestion: '#1f6feb',
  question: '#8250df',
};

const FRAME = 3;
const HALO = 1.5;
const BADGE = 22;
const CORNER = 4;

export type Sketch = { rect: Rectangle; kind: AnnotationKind };

/** What a canvas of a page and one of a worker have in common. */
type Pen = Omit<OffscreenCanvasRenderingContext2D, 'canvas'>;

/** Paint what is there, `by` from where it was drawn, and the sketch that is being drawn; `density`: pixels for each of the page's. */
export function paint(
  pen: Pen,
  density: number,
  annotations: readonly Annotation[],
  sketch: Sketch | undefined,
  by: Point[],
) {
  pen.setTransform(density, 0, 0, density, 0, 0);
  annotations.forEach(({ rect, kind }, at) => {
    const place = moved(rect, by[at] ?? { x: 0, y: 0 });
    paintFrame(pen, place, COLOURS[kind]);
    paintNumber(pen, place, at + 1, COLOURS[kind]);
  });
  if (sketch) paintFrame(pen, sketch.rect, COLOURS[sketch.kind]);
}

export function moved({ x, y, width, height }: Rectangle, by: Point): Rectangle {
  return { x: x + by.x, y: y + by.y, width, height };
}

/** A coloured frame between two white lines, so that it is seen on the same colour. */
function paintFrame(pen: Pen, { x, y, width, height }: Rectangle, colour: string) {
  pen.beginPath();
  pen.roundRect(x, y, width, height, CORNER);
  pen.lineWidth = FRAME + 2 * HALO;
  pen.strokeStyle = 'rgba(255, 255, 255, 0.85)';
  pen.stroke();
  pen.lineWidth = FRAME;
  pen.strokeStyle = colour;
  pen.stroke();
}

/** On the upper left corner, inside of the window. */
function paintNumber(pen: Pen, { x, y }: Rectangle, number: number, colour: string) {
  const half = BADGE / 2;
  const [left, top] = [Math.max(half + HALO, x), Math.max(half + HALO, y)];
  pen.beginPath();
  pen.arc(left, top, half, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.lineWidth = HALO;
  pen.strokeStyle = '#ffffff';
  pen.stroke();
  pen.fillStyle = '#ffffff';
  pen.font = '600 12px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(String(number), left, top + 0.5);
}
