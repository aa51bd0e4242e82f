// Paints the handles of the annotation that is selected: they are on the overlay, and in no picture.

import { COLOURS, type Pen, WHITE } from '../../shared/annotation_painting.ts';
import { boxOf, cornersOf, type Figure, type Sketch } from '../../shared/figures.ts';
import { handlesOf } from './figure_geometry.ts';

/** The side of a handle. */
export const HANDLE = 10;

/** The handles of what is selected, and its box in dashes where its line is no box itself. */
export function paintHandles(pen: Pen, { figure, kind }: Sketch) {
  const colour = COLOURS[kind];
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

function paintBox(pen: Pen, figure: Figure, colour: string) {
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
