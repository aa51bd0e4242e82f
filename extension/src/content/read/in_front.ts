// Finds what lies in front of a whole page, and reads it: a dialog, the error of a development server, a mask while it loads.

import { accessibleName } from '../dom/accessible_name.ts';
import { hitAt } from '../dom/components.ts';
import { dialogsInFront } from '../dom/covers.ts';
import { briefNameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { inOrder, search, type Tree } from '../dom/search.ts';
import { excerpt, oneLine } from '../dom/text.ts';
import { around, contains } from '../dom/visibility.ts';
import { shownText } from './shown_text.ts';

/** Where the window is looked at, as shares of its width and height: the middle first. */
const PLACES: [number, number][] = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
];

/** A layer over so much of the window is in front of all. */
const SHARE = 0.9;

/** What development servers draw over a page that has broken: Vite, Next.js, webpack; there may be nothing behind it. */
const BROKEN = 'vite-error-overlay, nextjs-portal, #webpack-dev-server-client-overlay';

const OPERABLE =
  'a[href], button, input:not([type=hidden i]), select, textarea, [role="button"], [tabindex]:not([tabindex^="-"])';

const CHARACTERS = 240;

/** Describe what is in front of a page by its kind, its name and its text; empty if nothing is. */
export function inFront(trees: Tree[]): string {
  const element = dialogsInFront(trees).at(-1) ?? layerInFront(trees);
  if (!element) return '';
  const role = roleOf(element);
  const name = /dialog$/.test(role) ? accessibleName(element) : '';
  const kind = name ? `${role} ${JSON.stringify(name)}` : briefNameOf(element);
  return excerpt(`${kind}: ${oneLine(shownText(element).text)}`, CHARACTERS);
}

/** Find the layer that covers a page; what most of the page is part of is the page. */
function layerInFront(trees: Tree[]): Element | undefined {
  const hits = PLACES.map(([x, y]) => hitAt(document, { x: innerWidth * x, y: innerHeight * y }));
  const chain: Element[] = [];
  for (let at = hits[0] ?? null; at; at = around(at)) chain.push(at);
  const broken = chain.find((one) => nodes.matches(one, BROKEN));
  if (broken) return broken;
  const layer = chain.findLast(isOverAll);
  if (!layer || !hits.every((hit) => hit && contains(layer, hit))) return undefined;
  const operable = Array.from(inOrder(search(trees, OPERABLE), trees[0] as Tree)).filter(({ element }) =>
    isShown(element),
  );
  const covered = operable.filter(({ element }) => !contains(layer, element));
  return covered.length > 0 && covered.length >= operable.length / 2 ? layer : undefined;
}

/** Whether an element is drawn over the whole window. */
export function isOverAll(element: Element): boolean {
  if (!/^(fixed|absolute)$/.test(getComputedStyle(element).position)) return false;
  const { left, top, right, bottom } = nodes.box(element);
  const width = Math.min(right, innerWidth) - Math.max(left, 0);
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return width >= innerWidth * SHARE && height >= innerHeight * SHARE;
}

function isShown(element: Element): boolean {
  const { width, height } = nodes.box(element);
  return width > 1 && height > 1 && nodes.isRendered(element, { checkVisibilityCSS: true, checkOpacity: true });
}
