// Measures what a picture is to show, and lists what is visible in it; it must only ever read the page.

import { elementToActOn } from '../dom/choose_element.ts';
import { find } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { clip, oneLine, rounded } from '../dom/text.ts';
import { type Box, boundsOf, canBeSeen, viewOf } from '../dom/visibility.ts';
import { frame, type Query } from '../frame.ts';
import { fontsLoaded } from './late_media.ts';
import { pageName } from './query_dom.ts';

/** How long what is ours stays out of sight at most: the worker may die before it shows it again. */
const UNSEEN_MS = 5_000;

/** Of an element's own text. */
const TEXT_CHARACTERS = 40;

/** The most elements that are listed: more than people can tell apart in a picture. */
const LISTED = 2_000;

/**
 * `parent`: the number of the row of the nearest element around it that is listed, or -1. The text is last: redaction takes
 * what follows a label such as "Password:" for its value.
 */
const COLUMNS = ['selector', 'x', 'y', 'width', 'height', 'color', 'background', 'font', 'parent', 'text'];

/** What is part of a page and never drawn. */
const UNDRAWN = /^(head|title|meta|link|script|style|template|noscript|base)$/;

type Row = [string, number, number, number, number, string, string, string, number, string];

type View = ReturnType<typeof viewOf>;

type Mark = [number: number, x: number, y: number, width: number, height: number];

/** Pixels of the page; `area` and `sight`, what the window shows, in its viewport. */
type Place = {
  url: string;
  title: string;
  area: Box;
  sight: Box;
  viewport: { width: number; height: number };
  page: { width: number; height: number };
  scroll: { x: number; y: number };
  hidden: boolean;
};

let unseen: ReturnType<typeof setTimeout> | undefined;

/** Measure the page, and the element that is meant, if one is. */
export function picturePlace(query: Query): Place {
  const root = nodes.scroller(document) ?? nodes.rootElement(document);
  const viewport = { width: innerWidth, height: innerHeight };
  const { offsetLeft, offsetTop, scale } = visualViewport ?? { offsetLeft: 0, offsetTop: 0, scale: 1 }; // a hand may enlarge
  const sight = { x: offsetLeft, y: offsetTop, width: innerWidth / scale, height: innerHeight / scale };
  const scroll = { x: scrollX, y: scrollY };
  const page = { width: root.scrollWidth, height: root.scrollHeight };
  const whole = { x: -scroll.x, y: -scroll.y, ...page };
  const area = query.selector ? boundsOf(elementToActOn(query, canBeSeen)) : query.full_page ? whole : sight;
  return { ...pageName(), area, sight, viewport, page, scroll, hidden: document.hidden };
}

/** Wait for the page's fonts, then hide what Gasoline shows in it, unless that is wanted too; give how much was hidden. */
export async function preparePicture({ overlays }: Query): Promise<{ hidden: number }> {
  await fontsLoaded();
  if (overlays || !frame.overlays.size) return { hidden: 0 };
  setShown(false);
  unseen = setTimeout(showOverlays, UNSEEN_MS);
  return { hidden: frame.overlays.size };
}

/** Show again what Gasoline shows in the page. */
export function showOverlays(): { shown: true } {
  setShown(true);
  return { shown: true };
}

function setShown(shown: boolean) {
  clearTimeout(unseen);
  for (const show of frame.overlays) show(shown);
}

/**
 * List the visible elements in an area of the viewport: boxes from the area's corner, in the page's pixels. `marks`: the
 * boxes of what is there of some selectors, each after the selector's number.
 */
export function pictureElements({ area, marked = [] }: Query): { columns: string[]; rows: Row[]; marks?: Mark[] } {
  const trees = treesOf(document);
  const listed = { columns: COLUMNS, rows: rowsIn(trees, area) };
  return marked.length ? { ...listed, marks: marksIn(trees, area, marked) } : listed;
}

function rowsIn(trees: Tree[], area: Box): Row[] {
  const rows: Row[] = [];
  const listed = new Map<Element, number>();
  for (const tree of trees) {
    const view = viewOf(tree);
    if (!view.visible) continue;
    const path = pathWriter(tree);
    for (const element of tree.elements) {
      if (rows.length >= LISTED) return rows;
      const box = boxIn(area, view, element);
      if (!isWithin(box, area) || UNDRAWN.test(nodes.tag(element)) || !isDrawn(element)) continue;
      rows.push(rowOf(element, path(element), box, rowAround(element, tree, listed)));
      listed.set(element, rows.length - 1);
    }
  }
  return rows;
}

function marksIn(trees: Tree[], area: Box, selectors: string[]): Mark[] {
  const marks: Mark[] = [];
  for (const [number, selector] of selectors.entries()) {
    for (const { element, tree } of find(trees, selector).found) {
      const { x, y, width, height } = boxIn(area, viewOf(tree), element);
      if (marks.length < LISTED && isWithin({ x, y, width, height }, area) && isDrawn(element))
        marks.push([number, rounded(x), rounded(y), rounded(width), rounded(height)]);
    }
  }
  return marks;
}

function boxIn(area: Box, view: View, element: Element): Box {
  const { x, y, width, height } = nodes.box(element);
  return {
    x: view.x + x * view.scaleX - area.x,
    y: view.y + y * view.scaleY - area.y,
    width: width * view.scaleX,
    height: height * view.scaleY,
  };
}

function isWithin(box: Box, area: Box): boolean {
  const overlaps = box.x < area.width && box.y < area.height && box.x + box.width > 0 && box.y + box.height > 0;
  return overlaps && box.width > 0 && box.height > 0;
}

function isDrawn(element: Element): boolean {
  return nodes.isRendered(element, { checkOpacity: true, checkVisibilityCSS: true });
}

function rowOf(element: Element, selector: string, { x, y, width, height }: Box, parent: number): Row {
  const style = getComputedStyle(element);
  const font = `${style.fontWeight} ${style.fontSize}`;
  const box = [rounded(x), rounded(y), rounded(width), rounded(height)] as const;
  return [selector, ...box, style.color, style.backgroundColor, font, parent, ownText(element)];
}

/** The number of the row of the nearest listed element around one, also around its shadow root or frame; -1: none. */
function rowAround(element: Element, tree: Tree, listed: Map<Element, number>): number {
  for (let at: Node | null = nodes.parent(element); at; at = nodes.parent(at)) {
    const row = listed.get(at as Element);
    if (row !== undefined) return row;
  }
  return tree.opener ? (listed.get(tree.opener) ?? -1) : -1;
}

function ownText(element: Element): string {
  const texts = Array.from(nodes.childNodes(element)).filter((node) => nodes.type(node) === 3);
  return clip(oneLine(texts.map((node) => node.nodeValue ?? '').join(' ')), TEXT_CHARACTERS);
}

/** Write the way to an element from the nearest id above it, or from the root, in CSS; each once. */
function pathWriter(tree: Tree): (element: Element) => string {
  const paths = new Map<Element, string>();
  const places = new Map<Element, number>();
  const begin = tree.opener ? `${nodes.tag(tree.opener)} >>> ` : '';
  return function write(element) {
    const known = paths.get(element);
    if (known) return known;
    const path = byId(element) ?? below(element);
    paths.set(element, path);
    return path;
  };

  function byId(element: Element): string | undefined {
    const id = nodes.attribute(element, 'id');
    return id && id.length <= 60 && id.isWellFormed() ? `${begin}#${CSS.escape(id)}` : undefined;
  }

  function below(element: Element): string {
    const parent = nodes.parent(element);
    const own = nodes.tag(element);
    if (!parent || nodes.type(parent) !== 1) return begin + own;
    const above = paths.get(parent as Element) ?? byId(parent as Element) ?? below(parent as Element);
    paths.set(parent as Element, above);
    return `${above}>${own}${twinPlace(element, parent as Element)}`;
  }

  function twinPlace(element: Element, parent: Element): string {
    if (!places.has(element)) {
      const counts = new Map<string, number>();
      for (let at = nodes.firstChild(parent); at; at = nodes.next(at)) {
        const place = (counts.get(nodes.tag(at)) ?? 0) + 1;
        counts.set(nodes.tag(at), place);
        places.set(at, place);
      }
    }
    const place = places.get(element) ?? 1;
    return place > 1 ? `:nth-of-type(${place})` : '';
  }
}
