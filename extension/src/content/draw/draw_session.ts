// One session of Draw Mode in this page: from what the person does on the overlay to annotations that the worker keeps.

import { paint, type Sketch } from '../../shared/annotation_painting.ts';
import type { Annotation, AnnotationKind, Point, Rectangle } from '../../shared/annotations.ts';
import { elementUnder } from './element_under.ts';
import { makeOverlay } from './overlay.ts';
import { isLargeEnough, spanned } from './rectangles.ts';
import { DrawMachine } from './states.ts';

/** What is typed goes into the field, and not to the page. */
const KEYS = ['keydown', 'keypress', 'keyup'] as const;

/** Pixels that an arrow key moves or stretches the rectangle that is drawn by keyboard; with Alt one. */
const STRIDE = 16;

const KEYBOARD_SKETCH = { width: 160, height: 64 };

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** An annotation, and where the page was scrolled to as it was drawn. */
type Drawn = { annotation: Annotation; scrolled: Point };

type Events = {
  /** Told after each change. */
  changed: (annotations: Annotation[]) => void;
  /** The page shows nothing of ours: a picture may be taken. `by`: how far what was drawn has moved. Resolves once it is done. */
  finished: (annotations: Annotation[], by: Point[]) => Promise<unknown>;
  ended: () => void;
};

export class DrawingSession {
  #machine = new DrawMachine();
  #overlay = makeOverlay();
  #drawn: Drawn[] = [];
  #sketch: Sketch | undefined;
  #from: Point | undefined;
  #kind: AnnotationKind = 'suggestion';
  #events;
  #gone = new AbortController();

  constructor(events: Events, kept: Annotation[] = []) {
    this.#events = events;
    this.#drawn = kept.map((annotation) => ({ annotation, scrolled: scrolled() }));
  }

  get state() {
    return this.#machine.state;
  }

  get count() {
    return this.#drawn.length;
  }

  start() {
    if (!this.#machine.take('activate')) return;
    this.#overlay.show();
    this.#listen();
    this.#resize();
  }

  /** Show the overlay again if the page has thrown it away. */
  restore() {
    if (this.#overlay.isThere() || this.#machine.state === 'FINISHING') return;
    this.#overlay.show();
    this.#paint();
  }

  /** Leave as Escape does. */
  async finish(): Promise<void> {
    if (this.#machine.state === 'TEXT_INPUT') this.#confirm('blur');
    if (!this.#machine.take('escape')) return;
    this.#sketch = undefined;
    this.#gone.abort();
    this.#overlay.remove(); // what has the focus, and what is under the mouse, looks as it does without us
    await painted();
    await this.#events.finished(this.annotations, this.#moves()).catch(() => {});
    this.#machine.take('sent');
    this.#events.ended();
  }

  get annotations(): Annotation[] {
    return this.#drawn.map(({ annotation }) => annotation);
  }

  #listen() {
    const { dialog, canvas, field, bar } = this.#overlay;
    const { signal } = this.#gone;
    const on = { signal };
    canvas.addEventListener('pointerdown', (event) => this.#press(event), on);
    canvas.addEventListener('pointermove', (event) => this.#drag(event), on);
    canvas.addEventListener('pointerup', (event) => this.#letGo(event), on);
    canvas.addEventListener('pointercancel', () => this.#forget(), on);
    field.addEventListener('blur', () => this.#confirm('blur'), on);
    dialog.addEventListener('keydown', (event) => this.#keyDown(event), on);
    for (const type of KEYS) dialog.addEventListener(type, (event) => event.stopPropagation(), on);
    dialog.addEventListener('cancel', (event) => event.preventDefault(), on); // Escape is ours
    for (const one of bar.kinds)
      one.addEventListener('click', () => this.#choose(one.dataset['kind'] as AnnotationKind), on);
    bar.undo.addEventListener('click', () => this.#undo(), on);
    bar.done.addEventListener('click', () => void this.finish(), on);
    window.addEventListener('resize', () => this.#resize(), on);
    window.addEventListener('scroll', () => this.#paint(), { signal, passive: true, capture: true });
  }

  #press(event: PointerEvent) {
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.#machine.state === 'TEXT_INPUT') this.#confirm('blur');
    if (this.#machine.state !== 'DRAWING') return;
    event.preventDefault();
    this.#overlay.canvas.setPointerCapture(event.pointerId);
    this.#from = { x: event.clientX, y: event.clientY };
  }

  #drag(event: PointerEvent) {
    if (!this.#from) return;
    this.#sketch = { rect: spanned(this.#from, inWindow(event)), kind: this.#kind };
    this.#paint();
  }

  #letGo(event: PointerEvent) {
    if (!this.#from) return;
    const rect = spanned(this.#from, inWindow(event));
    this.#from = undefined;
    this.#take(rect);
  }

  #forget() {
    this.#from = this.#sketch = undefined;
    this.#paint();
  }

  #take(rect: Rectangle) {
    if (!isLargeEnough(rect) || !this.#machine.take('drawn')) return this.#forget();
    this.#sketch = undefined;
    this.#drawn.push({ annotation: annotationOf(rect, this.#kind), scrolled: scrolled() });
    this.#overlay.ask(rect, this.#kind);
    this.#paint();
  }

  #confirm(by: 'enter' | 'blur' | 'escape') {
    if (!this.#machine.take(by)) return;
    const text = this.#overlay.answer();
    const last = this.#drawn.at(-1);
    if (last && text) last.annotation.text = text;
    else this.#drawn.pop();
    this.#changed();
  }

  #keyDown(event: KeyboardEvent) {
    const { key } = event;
    const inField = this.#machine.state === 'TEXT_INPUT';
    if (key === 'Escape') {
      event.preventDefault();
      if (inField) this.#confirm('escape');
      else if (this.#sketch) this.#forget();
      else void this.finish();
    } else if (inField) {
      if (key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#confirm('enter');
    } else if (key === 'z' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#undo();
    } else if (event.target === this.#overlay.dialog) this.#drawByKey(event);
  }

  #drawByKey(event: KeyboardEvent) {
    const arrow = ARROWS[event.key];
    if (arrow) {
      event.preventDefault();
      const { rect } = this.#sketch ?? { rect: middle() };
      const stride = event.altKey ? 1 : STRIDE;
      this.#sketch = { rect: this.#sketch ? stretched(rect, arrow, stride, event.shiftKey) : rect, kind: this.#kind };
      this.#paint();
    } else if (event.key === 'Enter' && this.#sketch) {
      event.preventDefault();
      this.#take(this.#sketch.rect);
    }
  }

  #choose(kind: AnnotationKind) {
    this.#kind = kind;
    this.#overlay.dialog.focus();
    this.#paint();
  }

  #undo() {
    if (this.#machine.state !== 'DRAWING' || !this.#drawn.length) return;
    this.#drawn.pop();
    this.#changed();
  }

  #changed() {
    this.#paint();
    this.#events.changed(this.annotations);
  }

  #resize() {
    this.#overlay.resize();
    this.#paint();
  }

  /** How far what was drawn is from where it was drawn: the page was scrolled. */
  #moves(): Point[] {
    const now = scrolled();
    return this.#drawn.map(({ scrolled: then }) => ({ x: then.x - now.x, y: then.y - now.y }));
  }

  #paint() {
    const { pen, density } = this.#overlay.clear();
    paint(pen, density, this.annotations, this.#sketch, this.#moves());
    this.#overlay.bar.state(this.#kind, this.#drawn.length);
  }
}

function annotationOf(rect: Rectangle, kind: AnnotationKind): Annotation {
  const timestamp = Date.now();
  const key = crypto.randomUUID().slice(0, 8);
  const { selector, summary, look } = elementUnder(rect);
  return {
    id: `ann_${timestamp}_${key}`,
    rect,
    text: '',
    kind,
    timestamp,
    page_url: location.href,
    element_summary: summary,
    selector,
    correlation_id: `ann_detail_${key}`,
    ...(look && { look }),
  };
}

function scrolled(): Point {
  return { x: scrollX, y: scrollY };
}

function inWindow({ clientX, clientY }: PointerEvent): Point {
  return { x: Math.max(0, Math.min(clientX, innerWidth)), y: Math.max(0, Math.min(clientY, innerHeight)) };
}

function middle(): Rectangle {
  const { width, height } = KEYBOARD_SKETCH;
  return { x: (innerWidth - width) / 2, y: (innerHeight - height) / 2, width, height };
}

function stretched({ x, y, width, height }: Rectangle, arrow: Point, stride: number, stretches: boolean): Rectangle {
  if (!stretches) return { x: x + arrow.x * stride, y: y + arrow.y * stride, width, height };
  return { x, y, width: Math.max(1, width + arrow.x * stride), height: Math.max(1, height + arrow.y * stride) };
}

/** Wait until what was painted is on the screen; in a tab that is hidden no frame comes. */
function painted(): Promise<unknown> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
