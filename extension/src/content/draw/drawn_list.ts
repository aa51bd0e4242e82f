// The annotations of a session in their order, and what each change can be taken back to; it looks up what each one means.

import type { Annotation, AnnotationKind } from '../../shared/annotations.ts';
import { boxOf, type Figure } from '../../shared/figures.ts';
import { randomHex } from '../../shared/random_hex.ts';
import { nodes } from '../dom/nodes.ts';
import { type Box, boundsOf, type Found } from '../dom/visibility.ts';
import { LIMITS } from '../read/describe_element.ts';
import { elementAt } from './element_at.ts';
import { elementUnder, type Meant } from './element_under.ts';
import { fieldsOf, figureOf, follow } from './figure_geometry.ts';

/** The most changes that can be taken back. */
const TAKEN_BACK = 100;

/** Where an element was as something was drawn on it; without one, or once it is gone, where the page was scrolled to. */
type Anchor = { found: Found | undefined; box: Box; scrolled: Box };

/** An annotation, and what it stays on. It is never changed, only replaced. */
export type Drawn = { annotation: Annotation; anchor: Anchor };

export class DrawnList {
  #all: readonly Drawn[];
  #past: (readonly Drawn[])[] = [];

  constructor(kept: Annotation[]) {
    this.#all = kept.map((annotation) => ({ annotation, anchor: anchorOn(meantBy(figureOf(annotation)).found) }));
  }

  get all(): readonly Drawn[] {
    return this.#all;
  }

  add(drawn: Drawn) {
    this.#change([...this.#all, drawn]);
  }

  replace(at: number, drawn: Drawn) {
    this.#change(this.#all.with(at, drawn));
  }

  remove(at: number) {
    this.#change(this.#all.toSpliced(at, 1));
  }

  /** Take the last change back. Return whether there was one. */
  undo(): boolean {
    const before = this.#past.pop();
    if (before) this.#all = before;
    return before !== undefined;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  #change(next: readonly Drawn[]) {
    this.#past = [...this.#past, this.#all].slice(-TAKEN_BACK);
    this.#all = next;
  }
}

/** Make an annotation of what was drawn. */
export function drawnOf(figure: Figure, kind: AnnotationKind): Drawn {
  const timestamp = Date.now();
  const key = randomHex(4);
  const { found, selector, summary, look } = meantBy(figure);
  const annotation: Annotation = {
    id: `ann_${timestamp}_${key}`,
    ...fieldsOf(figure),
    text: '',
    kind,
    timestamp,
    page_url: location.href.slice(0, LIMITS.url),
    element_summary: summary,
    selector,
    correlation_id: `ann_detail_${key}`,
    ...(look && { look }),
  };
  return { annotation, anchor: anchorOn(found) };
}

/** The same annotation with another figure, of what that one means. */
export function redrawn({ annotation }: Drawn, figure: Figure): Drawn {
  const { found, selector, summary, look } = meantBy(figure);
  const { rect: _r, shape: _s, from: _f, to: _t, path: _p, look: _l, ...others } = annotation;
  return {
    annotation: { ...others, ...fieldsOf(figure), element_summary: summary, selector, ...(look && { look }) },
    anchor: anchorOn(found),
  };
}

/** The same annotation with another text or kind. */
export function rewritten({ annotation, anchor }: Drawn, change: Pick<Partial<Annotation>, 'text' | 'kind'>): Drawn {
  return { annotation: { ...annotation, ...change }, anchor };
}

/** Where an annotation is now: it stays on its element as the page is scrolled, resized or laid out again. */
export function figureNow({ annotation, anchor }: Drawn): Figure {
  const figure = figureOf(annotation);
  const box = anchor.found && boxNow(anchor.found);
  return box ? follow(figure, anchor.box, box) : follow(figure, anchor.scrolled, scrolled());
}

/** An arrow means what is at its tip, the other figures what they enclose. */
function meantBy(figure: Figure): Meant {
  const [, tip] = figure.points;
  return figure.shape === 'arrow' && tip ? elementAt(tip) : elementUnder(boxOf(figure));
}

function anchorOn(found: Found | undefined): Anchor {
  const box = found && boxNow(found);
  return { found: box && found, box: box ?? scrolled(), scrolled: scrolled() };
}

/** The box of an element that is shown. */
function boxNow(found: Found): Box | undefined {
  if (!nodes.isConnected(found.element)) return undefined;
  const box = boundsOf(found);
  return box.width || box.height ? box : undefined;
}

/** Where the page's own corner is. */
function scrolled(): Box {
  return { x: -scrollX, y: -scrollY, width: 0, height: 0 };
}
