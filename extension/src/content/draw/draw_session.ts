// One session of Draw Mode in this page: it shows the overlay, keeps it on top with its focus, and reports what was drawn.

import type { Annotation, AnnotationKind, Shape } from '../../shared/annotations.ts';
import type { Painted } from '../../shared/figures.ts';
import { frame } from '../frame.ts';
import { Board } from './board.ts';
import { Editor } from './editor.ts';
import { movedBy } from './figure_geometry.ts';
import { HeldHover } from './held_hover.ts';
import { inputTaker, pressEnder } from './input_copies.ts';
import { listenToKeys } from './keyboard_input.ts';
import { makeOverlay } from './overlay.ts';
import { listenToPointer } from './pointer_input.ts';
import { watchSurroundings } from './surroundings.ts';

const WORKED_MS = 60_000;

type Events = {
  /** Called after each change, and once a minute at most while the person works: the session is not forgotten. */
  changed: (annotations: Annotation[]) => void;
  /** The overlay is gone: a picture may be taken, and what was drawn be painted on it. Resolves once it is taken. */
  finished: (annotations: Annotation[], painted: Painted[]) => Promise<unknown>;
  ended: () => void;
};

export class DrawingSession {
  #overlay = makeOverlay();
  #board: Board;
  #editor: Editor;
  /** `timeStamp` of the last event that was reported as work. */
  #workedAt = Number.NEGATIVE_INFINITY;
  /** The focus that is lost meanwhile comes back. */
  #isRaising = false;
  #events;
  #hover: HeldHover | undefined;
  #gone = new AbortController();

  constructor(events: Events, kept: Annotation[] = []) {
    this.#events = events;
    this.#board = new Board(kept);
    this.#editor = new Editor(this.#overlay, this.#board, events.changed);
  }

  get annotations(): Annotation[] {
    return this.#editor.annotations;
  }

  get count(): number {
    return this.annotations.length;
  }

  get isShown(): boolean {
    return this.#overlay.isThere();
  }

  start() {
    if (!this.#board.activate()) return;
    frame.takeInput = inputTaker(this.#overlay.surface, () => this.#raise());
    this.#hover = new HeldHover(this.#overlay.surface.host);
    this.#overlay.show();
    this.#overlay.resize();
    this.#listen();
    this.#editor.refresh();
  }

  /** Show the overlay again if the page has thrown it away. */
  restore() {
    if (!this.isShown) this.#raise();
  }

  /** Leave as Escape does. */
  async finish(): Promise<void> {
    this.#editor.settle();
    if (!this.#board.finish()) return;
    const { size } = this.#overlay;
    this.#takeAway(); // what has the focus, and what is under the mouse, looks as it does without us
    await painted();
    if (this.#board.state !== 'FINISHING') return; // the page was left meanwhile
    const send = () => this.#events.finished(this.annotations, inPicture(this.#board.paintedIn(size)));
    await send()
      .catch(send) // the worker that had it was stopped
      .catch(() => {});
    this.#hover?.giveBack();
    this.#board.end();
    this.#events.ended();
  }

  /** Take the overlay away and report nothing: the page is left. */
  remove() {
    this.#takeAway();
    this.#hover?.giveBack();
    this.#board.end();
  }

  #takeAway() {
    this.#gone.abort();
    this.#hover?.uncover();
    this.#overlay.remove();
    frame.takeInput = pressEnder(() => {
      frame.takeInput = undefined;
    });
  }

  /** Have the overlay above all of the page again; what has the focus in it keeps it. */
  #raise() {
    if (this.#board.state === 'FINISHING' || this.#isRaising) return;
    this.#isRaising = true;
    this.#overlay.show();
    this.#isRaising = false;
    this.#editor.refresh();
  }

  #listen() {
    const { signal } = this.#gone;
    listenToPointer(this.#editor, signal);
    for (const type of ['pointerdown', 'keydown'])
      this.#overlay.dialog.addEventListener(type, (event) => this.#work(event), { signal, capture: true });
    listenToKeys(this.#editor, () => void this.finish(), signal);
    this.#listenToFocus({ signal });
    this.#listenToBar({ signal });
    const events = { changed: () => this.#editor.refresh(), covered: () => this.#raise() };
    watchSurroundings(this.#overlay, events, signal);
  }

  #work({ timeStamp }: Event) {
    if (timeStamp - this.#workedAt < WORKED_MS) return;
    this.#workedAt = timeStamp;
    this.#events.changed(this.annotations);
  }

  #listenToFocus(on: AddEventListenerOptions) {
    const { field, marks } = this.#overlay;
    const at = ({ target }: Event) => [...marks.children].indexOf(target as Element);
    field.addEventListener('blur', (event) => this.#leaveField(event), on);
    marks.addEventListener('focusin', (event) => this.#editor.select(at(event)), on);
    marks.addEventListener('focusout', (event) => this.#leaveMark(event), on);
  }

  #listenToBar(on: AddEventListenerOptions) {
    const { bar } = this.#overlay;
    bar.element.addEventListener('mousedown', (event) => event.preventDefault(), on); // field and mark keep the focus
    const pressed = (one: HTMLElement, act: () => void) => one.addEventListener('click', act, on);
    for (const one of bar.kinds) pressed(one, () => this.#editor.colour(one.dataset['kind'] as AnnotationKind));
    for (const one of bar.tools) pressed(one, () => this.#editor.choose(one.dataset['tool'] as Shape));
    pressed(bar.remove, () => this.#editor.remove());
    pressed(bar.undo, () => this.#editor.undo());
    pressed(bar.move, () => this.#overlay.moveBar());
    pressed(bar.done, () => void this.finish());
  }

  /** To choose a kind is no way to be done with the text. */
  #leaveField({ relatedTarget }: FocusEvent) {
    const isBeside = this.#overlay.bar.element.contains(relatedTarget as Node | null);
    if (!isBeside && !this.#isComingBack()) this.#editor.confirm('blur');
  }

  #leaveMark({ relatedTarget }: FocusEvent) {
    if (this.#isComingBack()) return;
    this.#board.drop();
    const { bar, marks } = this.#overlay;
    const isBeside = [bar.element, marks].some((own) => own.contains(relatedTarget as Node | null));
    if (!isBeside && this.#board.state === 'SELECTED') this.#editor.leave('leave');
  }

  /** Whether what loses the focus has it again in a moment. */
  #isComingBack(): boolean {
    return this.#isRaising || this.#overlay.isOvertaken();
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

/** Wait until what was painted is on the screen; in a tab that is hidden no frame comes. */
function painted(): Promise<unknown> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
