// Finds out whether a page is drawn, and whether it still shows that it loads; it must only ever read the page.

import { nodes } from '../dom/nodes.ts';
import { inOrder, search, type Tree, treesOf } from '../dom/search.ts';
import { canBeSeen } from '../dom/visibility.ts';
import { pageQuiet } from './quiet.ts';

/** What shows something without a text. */
const DRAWN = 'img, svg, canvas, video, input, select, textarea, button, object, embed, iframe';

/** Words by which applications name what they show while they load, in a class, an id or a test id. */
const WAITING = ['loading', 'loader', 'spinner', 'skeleton', 'splash'];
const WAITING_LIKE = WAITING.flatMap((word) => ['class', 'id', 'data-testid'].map((name) => `[${name}*="${word}" i]`));
const BUSY = `[aria-busy="true"], ${WAITING_LIKE.join(', ')}`;

/** The most elements that are looked at. */
const LOOKED_AT = 200;

/** Return for how long the page has not changed, and whether it shows nothing, or that it loads. */
export function pageDrawing(): { quietMs: number; changed: boolean; drawing: boolean } {
  const trees = treesOf(document);
  return { ...pageQuiet(trees), drawing: isToBeDrawn(trees) || showsThatItLoads(trees) };
}

/** Whether it shows nothing that a script of its own may still draw. */
function isToBeDrawn(trees: Tree[]): boolean {
  return nodes.within(document.documentElement, 'script').length > 0 && !isDrawn(trees);
}

function showsThatItLoads(trees: Tree[]): boolean {
  const found = Array.from(inOrder(search(trees, BUSY), trees[0] as Tree)).slice(0, LOOKED_AT);
  return found.some(({ element }) => isBusy(element) && isInView(element));
}

function isBusy(element: Element): boolean {
  if (nodes.attribute(element, 'aria-busy') === 'true') return true;
  const names = ['class', 'id', 'data-testid'].map((name) => nodes.attribute(element, name) ?? '').join(' ');
  const words = names
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => WAITING.includes(word));
}

function isInView(element: Element): boolean {
  if (!nodes.isRendered(element, { checkVisibilityCSS: true, checkOpacity: true })) return false;
  const { left, top, right, bottom, width, height } = nodes.box(element);
  return width > 0 && height > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

/** Whether the page shows anything: a text, a picture, a field. */
export function isDrawn(trees: Tree[]): boolean {
  const pictures = inOrder(search(trees, DRAWN), trees[0] as Tree);
  for (const found of pictures) if (canBeSeen(found)) return true;
  return trees.some(({ root }) => showsText(root));
}

function showsText(root: Document | ShadowRoot): boolean {
  const walker = nodes.walker(document, root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (
      parentElement &&
      /\S/.test(nodeValue ?? '') &&
      nodes.isRendered(parentElement, { checkVisibilityCSS: true, checkOpacity: true })
    )
      return true;
  }
  return false;
}
