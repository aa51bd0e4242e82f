// Changes what is drawn and shows it on the overlay: what the pointer, the keys and the buttons can do.
//
// The annotation that has the focus is the one that is selected, so a press, Tab and a screen reader mean the same by it.

import { paint } from '../../shared/annotation_painting.ts';
import type { Annotation, AnnotationKind, Point, Shape } from '../../shared/annotations.ts';
import type { Painted } from '../../shared/figures.ts';
import type { Board } from './board.ts';
import { paintHandles } from './handles.ts';
import type { makeOverlay } from './overlay.ts';

type ConfirmedBy = 'enter' | 'blur' | 'escape';

export class Editor {
  /** The pointer that draws, until it is let go: another finger, or a palm beside a pen, does nothing. */
  pressedBy: number | undefined;
  readonly overlay;
  readonly board;
  #changed;
  #reported: Board['all'];

  /** `changed`: called with each change of the annotations. */
  constructor(overlay: ReturnType<typeof makeOverlay>, board: Board, changed: (annotations: Annotation[]) => void) {
    this.overlay = overlay;
    this.board = board;
    this.#changed = changed;
    this.#reported = board.all;
  }

  /** The annotations by now, with the one that is being written if it has a text. */
  get annotations(): Annotation[] {
    return this.board.annotations(this.overlay.typed.text.trim());
  }

  get painted(): Painted[] {
    return this.board.paintedIn(this.overlay.size);
  }

  /** The one that is selected. */
  get chosen(): Painted | undefined {
    const { selected } = this.board;
    return selected === undefined ? undefined : this.painted[selected];
  }

  /** Return where an event is, within the window. */
  placeOf({ clientX, clientY }: MouseEvent): Point {
    const { width, height } = this.overlay.size;
    return { x: Math.max(0, Math.min(clientX, width)), y: Math.max(0, Math.min(clientY, height)) };
  }

  /** Show what is there, and report it if it has changed. */
  refresh() {
    const { board, overlay, chosen, painted: all } = this;
    const { pen, density } = overlay.clear();
    paint(pen, density, all, board.sketch);
    if (chosen) paintHandles(pen, chosen);
    overlay.mark(board.shown.map((one, at) => ({ label: labelOf(one, at), place: all[at]?.badge })));
    const { tool, kind, selected, canUndo } = board;
    overlay.bar.show({ tool, kind, count: all.length, selected, canUndo });
    if (board.all === this.#reported) return;
    this.#reported = board.all;
    this.#changed(this.annotations);
  }

  /** Be done with what is written, changed or selected. */
  settle() {
    this.confirm('blur');
    this.board.drop();
    if (this.board.state === 'SELECTED') this.leave('leave');
  }

  confirm(by: ConfirmedBy) {
    if (!this.board.confirm(by, this.overlay.typed.text.trim())) return;
    this.overlay.closeField();
    this.refresh();
  }

  /** Leave off what is being drawn or changed. */
  forget(): boolean {
    this.release();
    const was = this.board.forget();
    this.refresh();
    return was;
  }

  /** The pointer draws no longer. */
  release() {
    this.pressedBy = undefined;
    this.overlay.bar.element.classList.remove('aside');
  }

  select(at: number) {
    this.board.select(at);
    this.refresh();
  }

  leave(by: 'leave' | 'escape') {
    if (!this.board.leave(by)) return;
    this.overlay.focus();
    this.refresh();
  }

  edit() {
    if (this.board.edit()) this.ask();
  }

  /** Have the person write what they mean. */
  ask() {
    const { asked } = this.board;
    if (asked) this.overlay.ask(asked.box, asked.kind, asked.text);
    this.refresh();
  }

  remove() {
    if (!this.board.remove()) return;
    this.overlay.focus();
    this.refresh();
  }

  colour(kind: AnnotationKind) {
    const { selected } = this.board;
    this.board.colour(kind);
    if (this.board.asked) this.overlay.colour(kind);
    else if (selected !== undefined) this.overlay.focusMark(selected);
    else this.overlay.focus();
    this.refresh();
  }

  choose(tool: Shape) {
    this.settle();
    this.board.choose(tool);
    this.overlay.focus();
    this.refresh();
  }

  /** Take the last change back; while something is written, that. */
  undo() {
    const { asked } = this.board;
    if (asked) {
      this.overlay.typed.text = asked.text;
      return this.confirm('blur');
    }
    this.settle();
    this.board.undo();
    this.refresh();
  }
}

function labelOf({ kind, text, element_summary }: Annotation, at: number): string {
  return [`${at + 1}: ${kind}`, text, element_summary].filter(Boolean).join(', ');
}
