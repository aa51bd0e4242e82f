// The surface that a person draws on: a modal dialog in a closed shadow root, above all of the page; it decides nothing.
//
// A modal dialog stands above the page's own ones, which a z-index does not, and keeps the focus (measured). Each annotation
// has a button where its number is painted, so that Tab leads through them and a screen reader names them.

import { COLOURS } from '../../shared/annotation_painting.ts';
import type { AnnotationKind, Point, Rectangle } from '../../shared/annotations.ts';
import { nodes } from '../dom/nodes.ts';
import { frame } from '../frame.ts';
import { button, makeBar } from './bar.ts';
import { create } from './own_elements.ts';
import { CSS_TEXT } from './sheet.ts';
import { TypedText } from './typed_text.ts';

const FIELD = { width: 280, height: 62 };
const GAP = 8;

/** What the bar needs at its edge. */
const BAR_HEIGHT = 72;

export type Mark = { label: string; place: Point | undefined };

export function makeOverlay() {
  const host = create('div');
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS_TEXT);
  root.adoptedStyleSheets = [sheet];
  const dialog = create('dialog');
  dialog.setAttribute('aria-label', 'Draw Mode: draw around what you mean');
  dialog.tabIndex = -1;
  const canvas = create('canvas');
  const marks = create('div');
  marks.setAttribute('role', 'group');
  marks.setAttribute('aria-label', 'What is marked');
  const field = create('textarea');
  field.placeholder = 'What about it? Enter saves';
  field.setAttribute('aria-label', 'What you want to say about it');
  field.maxLength = 2_000;
  field.hidden = true;
  const typed = new TypedText(field);
  const bar = makeBar();
  const pane = create('div', 'pane');
  pane.append(bar.element);
  dialog.append(canvas, marks, field, pane);
  root.append(dialog);
  let isBarUp = false;
  bar.leadTo(true);

  return {
    surface: { host, root, dialog, canvas },
    typed,
    canvas,
    dialog,
    marks,
    field,
    bar,
    show() {
      frame.ownNodes.add(host);
      nodes.rootElement(document).append(host);
      const focused = root.activeElement as HTMLElement | null;
      if (dialog.open) dialog.close(); // it was thrown away while it was shown, or something came above it
      dialog.style.visibility = 'hidden'; // else Chrome focuses its first button, and scrolls to it where a hand has enlarged
      dialog.showModal();
      dialog.style.visibility = '';
      (focused ?? dialog).focus({ preventScroll: true });
    },
    focus() {
      dialog.focus({ preventScroll: true });
    },
    remove() {
      dialog.close();
      host.remove();
      frame.ownNodes.delete(host);
    },
    /** The part of the window that can be drawn on: without its scroll bars, also until a new zoom of the page is undone. */
    get size() {
      const zoom = zoomOf(dialog);
      return { width: dialog.clientWidth * zoom, height: dialog.clientHeight * zoom };
    },
    isThere: () => host.isConnected && dialog.open,
    /** Fit the canvas to the window at the screen's own density: a pixel of it is one of the screen. */
    resize() {
      dialog.style.setProperty('zoom', String(1 / zoomOf(nodes.rootElement(document))));
      this.placeBar();
      const { width, height } = this.size;
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
    },
    /** Have the bar in sight, at its own size, also where a hand has enlarged a part of the page. */
    placeBar() {
      const { offsetLeft, offsetTop, scale } = visualViewport ?? { offsetLeft: 0, offsetTop: 0, scale: 1 };
      pane.style.transform = `translate(${offsetLeft}px, ${offsetTop}px) scale(${1 / scale})`;
    },
    /** Give the empty canvas to paint on, and its pixels for each of the page's. */
    clear() {
      const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
      pen.resetTransform();
      pen.clearRect(0, 0, canvas.width, canvas.height);
      return { pen, density: canvas.width / (this.size.width || 1) };
    },
    /** Have a button for each annotation, at its number. */
    mark(wanted: Mark[]) {
      while (marks.childElementCount > wanted.length) marks.lastElementChild?.remove();
      while (marks.childElementCount < wanted.length) marks.append(markButton());
      wanted.forEach(({ label, place }, at) => {
        const one = marks.children[at] as HTMLElement;
        one.setAttribute('aria-label', label);
        one.style.left = `${place?.x ?? 0}px`;
        one.style.top = `${place?.y ?? 0}px`;
      });
    },
    /** Ask for a text beside a rectangle: below it, above it where there is no room, else inside. */
    ask({ x, y, width, height }: Rectangle, kind: AnnotationKind, text: string) {
      const size = this.size;
      const below = y + height + GAP;
      const above = y - GAP - FIELD.height;
      const inside = Math.max(GAP, size.height - FIELD.height - GAP);
      const top = below + FIELD.height <= size.height ? Math.max(GAP, below) : above >= 0 ? above : inside;
      field.style.top = `${top}px`;
      field.style.left = `${Math.max(GAP, Math.min(x, size.width - FIELD.width - GAP, x + width))}px`;
      const isInWay = isBarUp ? top < BAR_HEIGHT : top + FIELD.height > size.height - BAR_HEIGHT;
      bar.put(isBarUp !== isInWay);
      typed.text = text;
      field.hidden = false;
      this.colour(kind);
    },
    /** Have the field be of a kind. */
    colour(kind: AnnotationKind) {
      field.style.setProperty('--kind', COLOURS[kind]);
      field.focus();
    },
    /** Move the bar to the other edge. */
    moveBar() {
      isBarUp = !isBarUp;
      bar.put(isBarUp);
      bar.leadTo(!isBarUp);
    },
    /** Take the field away. */
    closeField() {
      field.hidden = true;
      bar.put(isBarUp);
      this.focus();
    },
    /** Focus the button of an annotation, which selects it. */
    focusMark(at: number) {
      (marks.children[at] as HTMLElement | undefined)?.focus();
    },
  };
}

/** By how much a page enlarges an element: places of events and boxes are of the window all the same. */
function zoomOf(element: Element): number {
  return (element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1;
}

function markButton(): HTMLButtonElement {
  const one = button();
  one.className = 'mark';
  return one;
}
