// One session of Draw Mode in this page: from what the person does on the overlay to annotations that the worker keeps.
//
// The annotation that has the focus is the one that is selected, so a press, Tab and a screen reader mean the same by it.

import { paint } from '../../shared/annotation_painting.ts';
import type { Annotation, AnnotationKind, Point, Shape } from '../../shared/annotations.ts';
import type { Figure, Painted } from '../../shared/figures.ts';
import { frame } from '../frame.ts';
import { toolOf } from './bar.ts';
import { Board } from './board.ts';
import { movedBy } from './figure_geometry.ts';
import { type Grip, gripAt, isMet, metBy } from './grips.ts';
import { paintHandles } from './handles.ts';
import { inputTaker, pressEnder } from './input_copies.ts';
import { makeOverlay } from './overlay.ts';
import { isArrowKey } from './steering.ts';
import { watchSurroundings } from './surroundings.ts';

const WORKED_MS = 60_000;

type Events = {
  /** Told after each change, and once a minute at most while the person works: the session is not forgotten. */
  changed: (annotations: Annotation[]) => void;
  /** The overlay is gone: a picture may be taken, and what was drawn be painted on it. Resolves once it is taken. */
  finished: (annotations: Annotation[], painted: Painted[]) => Promise<unknown>;
  ended: () => void;
};

export class DrawingSession {
  #overlay = makeOverlay();
  #board: Board;
  #reported: Board['all'];
  /** The pointer that draws, until it is let go: another finger, or a palm beside a pen, does nothing. */
  #pressed: number | undefined;
  /** `timeStamp` of the last event that was reported as work. */
  #workedAt = Number.NEGATIVE_INFINITY;
  /** The focus that is lost meanwhile comes back. */
  #isRaising = false;
  #events;
  #gone = new AbortController();

  constructor(events: Events, kept: Annotation[] = []) {
    this.#events = events;
    this.#board = new Board(kept);
    this.#reported = this.#board.all;
  }

  get count() {
    return this.annotations.length;
  }

  /** The annotations by now, with the one that is being written if it has a text. */
  get annotations(): Annotation[] {
    return this.#board.annotations(this.#overlay.typed.text.trim());
  }

  start() {
    if (!this.#board.activate()) return;
    frame.takeInput = inputTaker(this.#overlay.surface, () => this.#raise());
    this.#overlay.show();
    this.#overlay.resize();
    this.#listen();
    this.#refresh();
  }

  get isShown(): boolean {
    return this.#overlay.isThere();
  }

  /** Show the overlay again if the page has thrown it away. */
  restore() {
    if (!this.isShown) this.#raise();
  }

  /** Have the overlay above all of the page again; what has the focus in it keeps it. */
  #raise() {
    if (this.#board.state === 'FINISHING' || this.#isRaising) return;
    this.#isRaising = true;
    this.#overlay.show();
    this.#isRaising = false;
    this.#refresh();
  }

  /** Leave as Escape does. */
  async finish(): Promise<void> {
    this.#settle();
    if (!this.#board.finish()) return;
    const { size } = this.#overlay;
    this.#takeAway(); // what has the focus, and what is under the mouse, looks as it does without us
    await painted();
    if (this.#board.state !== 'FINISHING') return; // the page was left meanwhile
    const send = () => this.#events.finished(this.annotations, inPicture(this.#board.paintedIn(size)));
    await send()
      .catch(send) // the worker that had it was stopped
      .catch(() => {});
    this.#board.end();
    this.#events.ended();
  }

  /** Take the overlay away and report nothing: the page is left. */
  remove() {
    this.#takeAway();
    this.#board.end();
  }

  #takeAway() {
    this.#gone.abort();
    this.#overlay.remove();
    frame.takeInput = pressEnder(() => {
      frame.takeInput = undefined;
    });
  }

  /** Be done with what is written, changed or selected. */
  #settle() {
    this.#confirm('blur');
    this.#board.drop();
    if (this.#board.state === 'SELECTED') this.#leave('leave');
  }

  #listen() {
    const { dialog, field, bar, marks } = this.#overlay;
    const { signal } = this.#gone;
    const on = { signal };
    this.#listenToPointer(on);
    for (const type of ['pointerdown', 'keydown'])
      dialog.addEventListener(type, (event) => this.#work(event), { signal, capture: true });
    field.addEventListener('blur', (event) => this.#leaveField(event), on);
    marks.addEventListener('focusin', ({ target }) => this.#select([...marks.children].indexOf(target as Element)), on);
    marks.addEventListener('focusout', (event) => this.#leaveMark(event), on);
    dialog.addEventListener('keydown', (event) => this.#keyDown(event), on);
    dialog.addEventListener('keyup', () => this.#keyUp(), on);
    dialog.addEventListener('cancel', (event) => this.#cancel(event), on);
    bar.element.addEventListener('mousedown', (event) => event.preventDefault(), on); // field and mark keep the focus
    for (const one of bar.kinds)
      one.addEventListener('click', () => this.#colour(one.dataset['kind'] as AnnotationKind), on);
    for (const one of bar.tools) one.addEventListener('click', () => this.#choose(one.dataset['tool'] as Shape), on);
    bar.remove.addEventListener('click', () => this.#remove(), on);
    bar.undo.addEventListener('click', () => this.#undo(), on);
    bar.move.addEventListener('click', () => this.#overlay.moveBar(), on);
    bar.done.addEventListener('click', () => void this.finish(), on);
    watchSurroundings(this.#overlay, { changed: () => this.#refresh(), covered: () => this.#raise() }, signal);
  }

  /** Escape was pressed, and the page's own listener came before ours: it was open before this extension was there. */
  #cancel(event: Event) {
    event.preventDefault();
    this.#escape();
  }

  #work({ timeStamp }: Event) {
    if (timeStamp - this.#workedAt < WORKED_MS) return;
    this.#workedAt = timeStamp;
    this.#events.changed(this.annotations);
  }

  #listenToPointer(on: AddEventListenerOptions) {
    const { canvas } = this.#overlay;
    canvas.addEventListener('mousedown', (event) => event.preventDefault(), on); // what is selected keeps the focus
    canvas.addEventListener('pointerdown', (event) => this.#press(event), on);
    canvas.addEventListener('pointermove', (event) => this.#drag(event), on);
    canvas.addEventListener('pointerup', (event) => this.#letGo(event), on);
    canvas.addEventListener('pointercancel', ({ pointerId }) => pointerId === this.#pressed && this.#forget(), on);
    canvas.addEventListener('dblclick', (event) => this.#doubleClick(event), on);
  }

  #press(event: PointerEvent) {
    if (event.button !== 0 || !event.isPrimary || this.#pressed !== undefined) return;
    event.preventDefault();
    this.#confirm('blur');
    this.#board.drop();
    const point = this.#place(event);
    const chosen = this.#chosen;
    const grip = chosen && gripAt(chosen, point, event.pointerType);
    if (grip === undefined || !this.#board.grab(grip, point)) {
      this.#settle();
      this.#board.beginAt(point);
    }
    this.#pressed = event.pointerId;
    this.#overlay.canvas.setPointerCapture(event.pointerId);
  }

  #drag(event: PointerEvent) {
    if (this.#pressed === undefined) return this.#hover(event);
    if (event.pointerId !== this.#pressed) return;
    this.#overlay.bar.element.classList.add('aside');
    const all = event.getCoalescedEvents?.() ?? []; // of secure contexts alone
    if (!this.#board.pull(this.#place(event)))
      this.#board.drawTo((all.length ? all : [event]).map((one) => this.#place(one)));
    this.#refresh();
  }

  #letGo(event: PointerEvent) {
    if (event.pointerId !== this.#pressed) return;
    this.#drag(event);
    this.#release();
    if (this.#board.take()) this.#ask();
    else if (!this.#board.drop()) this.#selectAt(event);
    this.#refresh();
  }

  #release() {
    this.#pressed = undefined;
    this.#overlay.bar.element.classList.remove('aside');
  }

  /** Leave off what is being drawn or changed. */
  #forget(): boolean {
    this.#release();
    const was = this.#board.forget();
    this.#refresh();
    return was;
  }

  /** Show by the pointer what a press would do. */
  #hover(event: PointerEvent) {
    const { canvas } = this.#overlay;
    const point = this.#place(event);
    const all = this.#painted;
    const chosen = this.#chosen;
    const grip = chosen && gripAt(chosen, point, event.pointerType);
    const met = metBy(all, point, event.pointerType);
    const idle = met === undefined ? 'crosshair' : 'pointer';
    canvas.style.cursor = chosen && grip !== undefined ? cursorOf(grip, chosen.figure) : idle;
    canvas.title = met === undefined ? '' : (this.#board.shown[met]?.text ?? '');
  }

  #selectAt(event: PointerEvent) {
    const at = metBy(this.#painted, this.#place(event), event.pointerType);
    if (at === undefined) this.#overlay.focus();
    else this.#overlay.focusMark(at);
  }

  #select(at: number) {
    this.#board.select(at);
    this.#refresh();
  }

  #leaveMark({ relatedTarget }: FocusEvent) {
    if (this.#isRaising || this.#overlay.isOvertaken()) return;
    this.#board.drop();
    const { bar, marks } = this.#overlay;
    const isBeside = [bar.element, marks].some((own) => own.contains(relatedTarget as Node | null));
    if (!isBeside && this.#board.state === 'SELECTED') this.#leave('leave');
  }

  #leave(by: 'leave' | 'escape') {
    if (!this.#board.leave(by)) return;
    this.#overlay.focus();
    this.#refresh();
  }

  #doubleClick(event: MouseEvent) {
    const chosen = this.#chosen;
    if (chosen && isMet(chosen, this.#place(event), '')) this.#edit();
  }

  #edit() {
    if (this.#board.edit()) this.#ask();
  }

  #ask() {
    const { asked } = this.#board;
    if (asked) this.#overlay.ask(asked.box, asked.kind, asked.text);
    this.#refresh();
  }

  /** To choose a kind is no way to be done with the text. */
  #leaveField({ relatedTarget }: FocusEvent) {
    const isBeside = this.#overlay.bar.element.contains(relatedTarget as Node | null);
    if (!isBeside && !this.#isRaising && !this.#overlay.isOvertaken()) this.#confirm('blur');
  }

  #confirm(by: 'enter' | 'blur' | 'escape') {
    if (!this.#board.confirm(by, this.#overlay.typed.text.trim())) return;
    this.#overlay.closeField();
    this.#refresh();
  }

  #keyUp() {
    if (!this.#board.isSteered) return;
    this.#board.drop();
    this.#refresh();
  }

  #keyDown(event: KeyboardEvent) {
    const { key, target } = event;
    const tool = toolOf(key);
    if (key === 'Escape') {
      event.preventDefault();
      this.#escape();
    } else if (target === this.#overlay.field) {
      if (key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#confirm('enter');
    } else if (event.ctrlKey || event.metaKey) {
      if (key !== 'z') return;
      event.preventDefault();
      this.#undo();
    } else if (tool) this.#choose(tool);
    else if (target === this.#overlay.dialog) this.#drawByKey(event);
    else if (this.#overlay.marks.contains(target as Node)) this.#changeByKey(event);
  }

  #escape() {
    const { state } = this.#board;
    if (state === 'TEXT_INPUT') this.#confirm('escape');
    else if (state === 'SELECTED') this.#leave('escape');
    else if (!this.#forget()) void this.finish();
  }

  #drawByKey(event: KeyboardEvent) {
    if (isArrowKey(event)) this.#board.drawByKey(event, this.#overlay.size);
    else if (event.key !== 'Enter') return;
    else if (this.#board.take()) this.#ask();
    event.preventDefault();
    this.#refresh();
  }

  #changeByKey(event: KeyboardEvent) {
    if (isArrowKey(event)) this.#board.steer(event);
    else if (event.key === 'Delete' || event.key === 'Backspace') this.#remove();
    else if (event.key === 'Enter') this.#edit();
    else return;
    event.preventDefault();
    this.#refresh();
  }

  #remove() {
    if (!this.#board.remove()) return;
    this.#overlay.focus();
    this.#refresh();
  }

  #colour(kind: AnnotationKind) {
    const { selected } = this.#board;
    this.#board.colour(kind);
    if (this.#board.asked) this.#overlay.colour(kind);
    else if (selected !== undefined) this.#overlay.focusMark(selected);
    else this.#overlay.focus();
    this.#refresh();
  }

  #choose(tool: Shape) {
    this.#settle();
    this.#board.choose(tool);
    this.#overlay.focus();
    this.#refresh();
  }

  /** Take the last change back; while something is written, that. */
  #undo() {
    const { asked } = this.#board;
    if (asked) {
      this.#overlay.typed.text = asked.text;
      return this.#confirm('blur');
    }
    this.#settle();
    this.#board.undo();
    this.#refresh();
  }

  get #painted(): Painted[] {
    return this.#board.paintedIn(this.#overlay.size);
  }

  /** The one that is selected. */
  get #chosen(): Painted | undefined {
    const { selected } = this.#board;
    return selected === undefined ? undefined : this.#painted[selected];
  }

  #place({ clientX, clientY }: MouseEvent): Point {
    const { width, height } = this.#overlay.size;
    return { x: Math.max(0, Math.min(clientX, width)), y: Math.max(0, Math.min(clientY, height)) };
  }

  /** Show what is there, and report it if it has changed. */
  #refresh() {
    const board = this.#board;
    const all = this.#painted;
    const { pen, density } = this.#overlay.clear();
    paint(pen, density, all, board.sketch);
    if (this.#chosen) paintHandles(pen, this.#chosen);
    this.#overlay.mark(board.shown.map((one, at) => ({ label: labelOf(one, at), place: all[at]?.badge })));
    const { tool, kind, selected, canUndo } = board;
    this.#overlay.bar.show({ tool, kind, count: all.length, selected, canUndo });
    if (board.all === this.#reported) return;
    this.#reported = board.all;
    this.#events.changed(this.annotations);
  }
}

/** Where each is in a picture of what is in sight: a hand may have enlarged a part of the page. */
function inPicture(painted: Painted[]): Painted[] {
  const { offsetLeft: x, offsetTop: y } = visualViewport ?? { offsetLeft: 0, offsetTop: 0 };
  return painted.map(({ figure, badge, ...others }) => ({
    ...others,
    figure: movedBy(figure, { x: -x, y: -y }),
    badge: { x: badge.x - x, y: badge.y - y },
  }));
}

function labelOf({ kind, text, element_summary }: Annotation, at: number): string {
  return [`${at + 1}: ${kind}`, text, element_summary].filter(Boolean).join(', ');
}

function cursorOf(grip: Grip, { shape }: Figure): string {
  if (grip === 'move') return 'move';
  return shape === 'arrow' ? 'grab' : grip % 2 ? 'nesw-resize' : 'nwse-resize';
}

/** Wait until what was painted is on the screen; in a tab that is hidden no frame comes. */
function painted(): Promise<unknown> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
