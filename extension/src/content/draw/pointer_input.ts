// Draws, selects, moves and stretches by the mouse, a finger or a pen.

import type { Figure } from '../../shared/figures.ts';
import type { Editor } from './editor.ts';
import { type Grip, gripAt, isMet, metBy } from './grips.ts';

/** Listen on the overlay's canvas until the signal ends it. */
export function listenToPointer(editor: Editor, signal: AbortSignal) {
  const { canvas } = editor.overlay;
  const on = { signal };
  canvas.addEventListener('mousedown', (event) => event.preventDefault(), on); // what is selected keeps the focus
  canvas.addEventListener('pointerdown', (event) => press(editor, event), on);
  canvas.addEventListener('pointermove', (event) => move(editor, event), on);
  canvas.addEventListener('pointerup', (event) => letGo(editor, event), on);
  canvas.addEventListener('pointercancel', ({ pointerId }) => pointerId === editor.pressedBy && editor.forget(), on);
  canvas.addEventListener('dblclick', (event) => doubleClick(editor, event), on);
}

function press(editor: Editor, event: PointerEvent) {
  if (event.button !== 0 || !event.isPrimary || editor.pressedBy !== undefined) return;
  event.preventDefault();
  editor.confirm('blur');
  editor.board.drop();
  const point = editor.placeOf(event);
  const grip = editor.chosen && gripAt(editor.chosen, point, event.pointerType);
  if (grip === undefined || !editor.board.grab(grip, point)) {
    editor.settle();
    editor.board.beginAt(point);
  }
  editor.pressedBy = event.pointerId;
  editor.overlay.canvas.setPointerCapture(event.pointerId);
}

function move(editor: Editor, event: PointerEvent) {
  if (editor.pressedBy === undefined) return hover(editor, event);
  if (event.pointerId !== editor.pressedBy) return;
  editor.overlay.bar.element.classList.add('aside');
  const all = event.getCoalescedEvents?.() ?? []; // of secure contexts alone
  if (!editor.board.pull(editor.placeOf(event)))
    editor.board.drawTo((all.length ? all : [event]).map((one) => editor.placeOf(one)));
  editor.refresh();
}

function letGo(editor: Editor, event: PointerEvent) {
  if (event.pointerId !== editor.pressedBy) return;
  move(editor, event);
  editor.release();
  if (editor.board.take()) editor.ask();
  else if (!editor.board.drop()) selectAt(editor, event);
  editor.refresh();
}

/** Show by the pointer what a press would do. */
function hover(editor: Editor, event: PointerEvent) {
  const { canvas } = editor.overlay;
  const point = editor.placeOf(event);
  const { chosen } = editor;
  const grip = chosen && gripAt(chosen, point, event.pointerType);
  const met = metBy(editor.painted, point, event.pointerType);
  const idle = met === undefined ? 'crosshair' : 'pointer';
  canvas.style.cursor = chosen && grip !== undefined ? cursorOf(grip, chosen.figure) : idle;
  canvas.title = met === undefined ? '' : (editor.board.shown[met]?.text ?? '');
}

function selectAt(editor: Editor, event: PointerEvent) {
  const at = metBy(editor.painted, editor.placeOf(event), event.pointerType);
  if (at === undefined) editor.overlay.focus();
  else editor.overlay.focusMark(at);
}

function doubleClick(editor: Editor, event: MouseEvent) {
  const { chosen } = editor;
  if (chosen && isMet(chosen, editor.placeOf(event), '')) editor.edit();
}

function cursorOf(grip: Grip, { shape }: Figure): string {
  if (grip === 'move') return 'move';
  return shape === 'arrow' ? 'grab' : grip % 2 ? 'nesw-resize' : 'nwse-resize';
}
