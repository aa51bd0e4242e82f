// Draws a border around one element for a while (seed 003, feature 1); no page may change it, and no query may find it.
//
// The border is a `div` in the closed shadow root of a host in the top layer, above every dialog. Its rules are the root's
// own: where both have `!important`, those win over the page's sheets and attributes (CSS Cascade 5, 6.1), and no policy
// of the page governs them.

import { fail } from '../dom/faults.ts';
import { find } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { openedBy, treesOf } from '../dom/search.ts';
import { clip, rounded } from '../dom/text.ts';
import type { Box } from '../dom/visibility.ts';
import { boundsOf, bringIntoSight, canBeSeen, type Found, paneSize } from '../dom/visibility.ts';
import { frame, type Query } from '../frame.ts';

/** Pixels. */
const BORDER = 4;

/** Pixels of the host's side, by which it is seen what the page makes of a pixel. */
const RULER = 100;

const HIGHLIGHT_CSS = `
:host { all: initial !important; display: contents !important; }
:host::before, :host::after { display: none !important; content: none !important; }
.layer {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  inset: 0 auto auto 0 !important;
  width: ${RULER}px !important;
  height: ${RULER}px !important;
  z-index: 2147483647 !important;
  pointer-events: none !important;
  direction: ltr !important;
}
.layer::backdrop { display: none !important; }
#gasoline-highlighter {
  all: initial;
  display: block;
  box-sizing: border-box;
  position: fixed;
  inset: 0 auto auto 0;
  border: ${BORDER}px solid red;
  z-index: 2147483647;
  pointer-events: none;
  forced-color-adjust: none;
}
#gasoline-highlighter[hidden] { display: none; }
`;

/** Ends the highlight that is shown. */
let highlighted: AbortController | undefined;

/**
 * Show where the first visible match of a selector is; the last highlight goes. The query has the arguments of the
 * tool.
 */
export function highlight({ selector, duration_ms = 5000 }: Query): {
  success: true;
  selector: string;
  bounds: Box;
  match_count?: number;
} {
  removeHighlight();
  const trees = treesOf(document);
  const { count, found: matches } = find(trees, selector);
  const found = firstInSight(selector, count, matches);
  bringIntoSight(found);
  const { x, y, width, height } = boundsOf(found);
  const bounds = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
  const pane = paneSize();
  if (x >= pane.width || y >= pane.height || x + width <= 0 || y + height <= 0) outOfReach(selector, bounds);
  showHighlight(found, duration_ms);
  return { success: true, selector, bounds, ...(count > 1 && { match_count: count }) };
}

/** Take the highlight away. Return whether there was one. */
export function removeHighlight(): { success: true; removed: boolean } {
  const removed = highlighted !== undefined && !highlighted.signal.aborted;
  highlighted?.abort();
  return { success: true, removed };
}

function firstInSight(selector: string, count: number, matches: Iterable<Found>): Found {
  const [shown, details] = [JSON.stringify(clip(selector, 500)), { selector: clip(selector, 500) }];
  for (const found of matches) if (canBeSeen(found)) return found;
  if (!count) {
    const recovery = 'Look for it with query_dom; it may stand in a closed shadow root or a frame of another origin.';
    return fail('element_not_found', `Nothing on the page matches ${shown}.`, { details, recovery });
  }
  const recovery = 'Bring it to light first (open its menu or dialog), or name an element around it.';
  const text = `Of what matches ${shown}, nothing is visible: it is hidden, transparent or has no size.`;
  return fail('element_not_visible', text, { details: { ...details, match_count: count }, recovery });
}

/** Refuse an element that no scrolling leads to: left of the page, or fixed beside the window. */
function outOfReach(selector: string, bounds: Box): never {
  const text = `What matches ${JSON.stringify(clip(selector, 500))} stands outside of the window, where no scrolling leads.`;
  const recovery = 'Bring it to light first (open its menu or drawer), or name another element.';
  return fail('element_not_visible', text, { details: { selector: clip(selector, 500), bounds }, recovery });
}

function showHighlight(found: Found, durationMs: number) {
  const { host, layer, border } = makeHighlighter();
  const ended = (highlighted = new AbortController());
  const { signal } = ended;
  const show = (shown: boolean) => {
    isShown = shown;
    drawAround(found, layer, border, isShown);
  };
  let isShown = true;
  const end = () => ended.abort();
  const timer = setTimeout(end, durationMs);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    host.remove();
    frame.overlays.delete(show);
    frame.ownNodes.delete(host);
  });
  window.addEventListener('pagehide', end, { signal });
  const rise = () => raise(layer);
  for (const type of ['toggle', 'fullscreenchange']) window.addEventListener(type, rise, { capture: true, signal });
  frame.overlays.add(show);
  frame.ownNodes.add(host);
  nodes.rootElement(document).append(host);
  raise(layer);
  const follow = () => {
    if (!signal.aborted && (!host.isConnected || !chrome.runtime?.id)) end(); // the page does not want it, or the extension is gone
    if (signal.aborted) return;
    drawAround(found, layer, border, isShown);
    requestAnimationFrame(follow);
  };
  follow();
}

/** The layer is a popover within the shadow root, which its events do not leave. */
function makeHighlighter(): { host: HTMLElement; layer: HTMLElement; border: HTMLElement } {
  const [host, layer, border] = [quietDiv(), quietDiv(), quietDiv()];
  const root = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(HIGHLIGHT_CSS);
  root.adoptedStyleSheets = [sheet];
  border.id = 'gasoline-highlighter';
  layer.className = 'layer';
  layer.popover = 'manual';
  layer.append(border);
  root.append(layer);
  return { host, layer, border };
}

/** Return a `div` that no screen reader reads. */
function quietDiv(): HTMLElement {
  const div = nodes.create(document, 'http://www.w3.org/1999/xhtml', 'div') as HTMLElement;
  div.setAttribute('aria-hidden', 'true');
  div.setAttribute('role', 'presentation');
  return div;
}

/** Put the layer above all that is in the top layer by now. A page that hinders it leaves it to the z-index. */
function raise(layer: HTMLElement) {
  try {
    if (layer.matches(':popover-open')) layer.hidePopover();
    layer.showPopover();
  } catch {}
}

/** Draw the border around an element where it is now, or nowhere while it cannot be seen. */
function drawAround(found: Found, layer: HTMLElement, border: HTMLElement, isShown: boolean) {
  border.hidden = !isShown || !isThere(found) || !canBeSeen(found);
  if (border.hidden) return;
  const { x, y, width, height } = boundsOf(found);
  const pane = paneSize();
  const [left, right] = borderAlong(x, x + width, pane.width);
  const [top, bottom] = borderAlong(y, y + height, pane.height);
  const { x: zeroX, y: zeroY, width: ruler } = nodes.box(layer);
  const pixel = ruler / RULER || 1; // a page that is zoomed by its style zooms the layer too
  border.style.width = `${(right - left) / pixel}px`;
  border.style.height = `${(bottom - top) / pixel}px`;
  border.style.transform = `translate(${(left - zeroX) / pixel}px, ${(top - zeroY) / pixel}px)`; // no layout shift, as `left` would be
}

/**
 * Return the outer edges of the border: around the element, but inside the window (of size `pane`) if the element is.
 */
function borderAlong(from: number, to: number, pane: number): [number, number] {
  const [before, after] = [from - BORDER, to + BORDER];
  return [from >= 0 ? Math.max(0, before) : before, to <= pane ? Math.min(pane, after) : after];
}

/** Whether the element is still part of the page, and so are the frames around it. */
function isThere({ element, tree }: Found): boolean {
  for (let at = tree; at.opener && at.outer; at = at.outer) {
    if (!nodes.isConnected(at.opener) || openedBy(at.opener) !== at.root) return false;
  }
  return nodes.isConnected(element) && nodes.root(element) === tree.root;
}
