// Measures where an element is drawn and how much of it is in sight; it must change nothing but, when asked, what is scrolled.

import { isDocument, isHtml, nodes } from './nodes.ts';
import type { Tree } from './search.ts';

/** An element, and its tree. */
export type Found = { element: Element; tree: Tree };

export type Box = { x: number; y: number; width: number; height: number };

type Edges = { left: number; top: number; right: number; bottom: number };

/** Whether the element has no box of its own: its children are drawn in its place. */
function isBoxless(element: Element): boolean {
  return getComputedStyle(element).display === 'contents';
}

/** Return the box of an element, or the one around its content if it has none, in its own frame's viewport. */
export function outlineOf(element: Element): DOMRect {
  if (!isBoxless(element)) return nodes.box(element);
  const content = new Range();
  content.selectNodeContents(element);
  return content.getBoundingClientRect();
}

/** Return the box that a pointer aims at: of what is broken into lines, as a link in a text, the largest. */
export function aimedBox(element: Element): DOMRect {
  if (isBoxless(element)) return outlineOf(element);
  const [first = nodes.box(element), ...others] = nodes.lineBoxes(element);
  return others.reduce((one, other) => (areaOf(other) > areaOf(one) ? other : one), first);
}

function areaOf({ width, height }: DOMRect): number {
  return width * height;
}

/** Whether the element can be seen, if need be by scrolling. */
export function canBeSeen({ element, tree }: Found): boolean {
  const outline = outlineOf(element);
  let boxed: Element | null = element;
  while (boxed && isBoxless(boxed)) boxed = around(boxed);
  return boxed !== null && isVisible(boxed, outline) && viewOf(tree).visible;
}

/** Return an element's outline in the viewport of the page. */
export function boundsOf({ element, tree }: Found): Box {
  const outline = outlineOf(element);
  const view = viewOf(tree);
  return {
    x: view.x + outline.x * view.scaleX,
    y: view.y + outline.y * view.scaleY,
    width: outline.width * view.scaleX,
    height: outline.height * view.scaleY,
  };
}

/**
 * Scroll an element into the middle of all that scrolls around it, unless it is in sight. What is larger than the window
 * is in sight as soon as a part of it is: to move it would only lose the reader's place.
 */
export function bringIntoSight(found: Found) {
  const { width, height } = boundsOf(found);
  const inSight = sightOf(found.tree, outlineOf(found.element), found.element);
  const [across, down] = [Math.max(0, inSight.right - inSight.left), Math.max(0, inSight.bottom - inSight.top)];
  const pane = paneSize();
  const whole = across >= Math.min(width, pane.width) - 1 && down >= Math.min(height, pane.height) - 1;
  const large = width > pane.width || height > pane.height;
  if (whole || (large && across > 0 && down > 0)) return;
  const { element } = found;
  const boxed = isBoxless(element) ? (nodes.firstChild(element) ?? around(element)) : element;
  if (boxed) nodes.scrollIntoView(boxed, { block: 'center', inline: 'center', behavior: 'instant' });
}

/** Return the middle of an element in its own frame's viewport, or of the part of it that is in sight where that is not. */
export function middleInSight({ element, tree }: Found): { x: number; y: number } {
  const outline = aimedBox(element);
  const view = viewOf(tree);
  const inSight = sightOf(tree, outline, element);
  const between = (first: number, last: number, from: number, to: number) => {
    const middle = (first + last) / 2;
    return middle > from && middle < to ? middle : (from + to) / 2;
  };
  const middle = { x: outline.x + outline.width / 2, y: outline.y + outline.height / 2 };
  if (inSight.right <= inSight.left || inSight.bottom <= inSight.top) return middle;
  const [left, right] = [(inSight.left - view.x) / view.scaleX, (inSight.right - view.x) / view.scaleX];
  const [top, bottom] = [(inSight.top - view.y) / view.scaleY, (inSight.bottom - view.y) / view.scaleY];
  return {
    x: between(outline.left, outline.right, left, right),
    y: between(outline.top, outline.bottom, top, bottom),
  };
}

/**
 * Cut from a box, in the viewport of the tree's frame, what the scrollers and windows around it hide. Return the rest
 * in the viewport of the page.
 */
function sightOf(tree: Tree, box: Edges, element: Element): Edges {
  let inSight = box;
  let outermost = tree;
  for (const one of cuttersOf(element)) inSight = common(inSight, nodes.box(one));
  while (!isDocument(outermost.root) && outermost.outer) outermost = outermost.outer;
  const { opener, outer } = outermost;
  const { width, height } = paneSize();
  if (!opener || !outer) return common(inSight, { left: 0, top: 0, right: width, bottom: height });
  const [own, above] = [viewOf(outermost), viewOf(outer)];
  const across: (x: number) => number = (x) => (own.x + x * own.scaleX - above.x) / above.scaleX;
  const down: (y: number) => number = (y) => (own.y + y * own.scaleY - above.y) / above.scaleY;
  const moved = {
    left: across(inSight.left),
    top: down(inSight.top),
    right: across(inSight.right),
    bottom: down(inSight.bottom),
  };
  return sightOf(outer, common(moved, nodes.box(opener)), opener);
}

/** Return the size of the window, without the scroll bars. */
export function paneSize(): { width: number; height: number } {
  const { width, height, scale } = visualViewport ?? { width: innerWidth, height: innerHeight, scale: 1 };
  return { width: width * scale, height: height * scale };
}

/** Return what it is drawn in, in its own frame: its slot, its host, its parent. */
export function around(element: Element): Element | null {
  const parent = nodes.slot(element) ?? nodes.parent(element);
  const type = parent && nodes.type(parent);
  if (type === 1) return parent as Element;
  return type === 11 ? ((parent as ShadowRoot).host ?? null) : null;
}

/**
 * Whether what sticks out of the element is hidden. The `overflow` of the root and the body is the window's, and none
 * applies to what is in a line or has no box (https://drafts.csswg.org/css-overflow/#overflow-control).
 */
export function cuts(
  element: Element,
  { overflow, display }: CSSStyleDeclaration = getComputedStyle(element),
): boolean {
  if (overflow === 'visible' || display === 'inline' || display === 'contents') return false;
  return !isHtml(element, 'html') && !isHtml(element, 'body');
}

/**
 * Yield what hides the parts of an element that stick out of it. What is positioned is hidden by what it is placed in and
 * by what that is in, not by scrollers between (https://www.w3.org/TR/css-position-3/#def-cb).
 */
function* cuttersOf(element: Element): Generator<Element> {
  let inside = element;
  for (let at = around(element); at; at = around(at)) {
    const { position } = getComputedStyle(inside);
    const isFixed = position === 'fixed';
    if ((isFixed || position === 'absolute') && !isPlacedIn(inside, at, isFixed)) continue;
    if (cuts(at)) yield at;
    inside = at;
  }
}

/** Whether a positioned element is placed in one of those around it. */
function isPlacedIn(element: Element, outer: Element, isFixed: boolean): boolean {
  if (nodes.matches(element, ':modal, :popover-open')) return false;
  const { position, transform, translate, rotate, scale, perspective, filter, backdropFilter, contain, willChange } =
    getComputedStyle(outer);
  if (!isFixed && position !== 'static') return true;
  const moved = [transform, translate, rotate, scale, perspective, filter, backdropFilter];
  return (
    moved.some((value) => value !== 'none') ||
    /paint|layout|strict|content/.test(contain) ||
    /transform|translate|rotate|scale|perspective|filter/.test(willChange)
  );
}

function common(one: Edges, other: Edges): Edges {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/**
 * Whether an element can be seen, if need be by scrolling: it is rendered with an area, and neither it nor anything
 * around it is hidden, transparent, or skipped by `content-visibility: hidden`.
 */
export function isVisible(element: Element, box: DOMRect): boolean {
  return box.width > 0 && box.height > 0 && nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true });
}

/** Whether an element is there for those who do not see too, and not a copy or out of use. */
export function isForReaders(element: Element): boolean {
  for (let at: Element | null = element; at; at = around(at))
    if (nodes.matches(at, '[aria-hidden="true"], [inert]')) return false;
  return true;
}

/**
 * Whether an element that is rendered can be seen nowhere: it has no more than a pixel, is clipped away, lies in what is
 * closed, or beside the page where no scrolling leads.
 */
export function isOutOfSight(element: Element): boolean {
  const { width, height, right, bottom } = outlineOf(element);
  if ((width <= 1 && height <= 1) || isClipped(element)) return true;
  const isWindow = nodes.root(element) === document;
  if (isFixedBeside(element)) return true;
  let isFree = true;
  for (let at = around(element); at; at = around(at)) {
    if (!cuts(at)) continue;
    const box = nodes.box(at);
    if (box.width <= 1 || box.height <= 1 || isClipped(at)) return true;
    isFree = false; // it may be scrolled there
  }
  return isFree && isWindow && (right + scrollX <= 0 || bottom + scrollY <= 0);
}

/** Whether it is part of what stays beside the window, however the page is scrolled: a drawer that is pushed out. */
function isFixedBeside(element: Element): boolean {
  if (element.ownerDocument !== document) return false;
  const pane = paneSize();
  for (let at: Element | null = element; at; at = around(at)) {
    if (getComputedStyle(at).position !== 'fixed') continue;
    const { left, top, right, bottom, width, height } = nodes.box(at);
    if (width && height && (right <= 0 || bottom <= 0 || left >= pane.width || top >= pane.height)) return true;
  }
  return false;
}

/**
 * Whether a transform has moved an element sideways out of what cuts it off, as a carousel does with the slides that wait.
 * A script may scroll it there; a person can not.
 */
export function isMovedAside(element: Element): boolean {
  const { left, right } = nodes.box(element);
  let isMoved = false;
  for (let at: Element | null = element; at; at = around(at)) {
    const { overflowX, transform, translate } = getComputedStyle(at);
    if (isMoved && /^(hidden|clip)$/.test(overflowX) && cuts(at)) {
      const box = nodes.box(at);
      if (right <= box.left || left >= box.right) return true;
    }
    isMoved ||= transform !== 'none' || translate !== 'none';
  }
  return false;
}

function isClipped(element: Element): boolean {
  const { clip, clipPath } = getComputedStyle(element);
  return /^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/.test(clip) || /^inset\((50|100)%\)$/.test(clipPath);
}

/** Where a tree's coordinates lie in the viewport of the page, through all frames around it. */
export function viewOf({ root, opener, outer }: Tree): {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  visible: boolean;
} {
  if (!opener || !outer) return { x: 0, y: 0, scaleX: 1, scaleY: 1, visible: true };
  const view = viewOf(outer);
  if (!isDocument(root)) return view;
  const frame = opener as HTMLIFrameElement;
  const box = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const scaleX = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
  const scaleY = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
  return {
    x: view.x + view.scaleX * (box.x + scaleX * (frame.clientLeft + parseFloat(paddingLeft))),
    y: view.y + view.scaleY * (box.y + scaleY * (frame.clientTop + parseFloat(paddingTop))),
    scaleX: view.scaleX * scaleX,
    scaleY: view.scaleY * scaleY,
    visible: view.visible && isVisible(frame, box),
  };
}

/** Whether the other element is drawn in it: slots and shadow roots included. */
export function contains(element: Element, other: Element): boolean {
  for (let at = other as Element | null; at; at = around(at)) if (at === element) return true;
  return false;
}
