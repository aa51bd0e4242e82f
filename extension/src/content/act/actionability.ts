// Checks that the element of an action can be acted on: enabled, in sight, not covered; it must do nothing but scroll.

import { hitAt, partAt } from '../dom/components.ts';
import { coveredBy, coverOver, describeCover, dialogsInFront, modalOver } from '../dom/covers.ts';
import { drawnPart, opensList } from '../dom/drawn_parts.ts';
import { fail, refuse } from '../dom/faults.ts';
import { nameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { clip, excerpt, oneLine } from '../dom/text.ts';
import { bringIntoSight, contains, type Found, middleInSight, outlineOf } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import { isOverAll } from '../read/in_front.ts';
import { shownText } from '../read/shown_text.ts';
import { isFileField } from './field_kinds.ts';

const COVER_CHARACTERS = 120;

type Spot = { x: number; y: number };

/**
 * Bring an element into sight, and check that a pointer at its middle, or at the place that is asked for, would hit it.
 * Of a large element the middle of what is in sight is meant. Return that place, in its own frame's viewport.
 */
export function bringIntoReach(found: Found, selector: string, asked: Query = {}): Spot {
  requireEnabled(found.element, selector);
  const { element, tree } = drawnPart(found);
  bringIntoSight({ element, tree });
  const { x, y } = spotIn({ element, tree }, asked);
  const root = tree.root as Document | ShadowRoot;
  const hit = hitAt(root, { x, y });
  if (hit && hit !== element && !contains(element, hit) && !isLabelOf(hit, found.element)) {
    const { cover, text } = describeCover(element, hit);
    refuseCovered(selector, cover, text);
  }
  return { x, y };
}

/** Return the same place, or where the element is now if the page has moved it away from there, as a list that unfolds. */
export function aimAgain(found: Found, at: Spot, asked: Query): Spot {
  const { element, tree } = drawnPart(found);
  const drawn = drawnAt(tree.root as Document | ShadowRoot, at);
  const isThere = drawn !== null && (contains(element, drawn) || isLabelOf(drawn, found.element));
  return isThere ? at : spotIn({ element, tree }, asked);
}

/** What covers the whole page is quoted: a page that has broken is to be mended, not moved. */
function refuseCovered(selector: string, cover: Element, text: string): never {
  const quoted = isOverAll(cover) ? excerpt(oneLine(shownText(cover).text), COVER_CHARACTERS) : '';
  const says = quoted && `: ${JSON.stringify(quoted)}`;
  return fail('element_covered', `${JSON.stringify(clip(selector, 200))} ${text}${says}.`, {
    details: { selector: clip(selector, 500), covered_by: nameOf(cover) },
    recovery: 'Close or move what covers it (a dialog, a banner), or scroll; then try again.',
  });
}

/** Check that the keyboard could reach an element: it is enabled, and no modal dialog keeps it out of use. */
export function requireReachable(found: Found, selector: string) {
  requireEnabled(found.element, selector);
  const modal = modalOver(found) ?? dialogDrawnOver(found);
  if (modal) refuseCovered(selector, modal, coveredBy(modal));
}

/** Return the dialog in front that an element lies behind; what a dialog opens beside itself lies over it. */
function dialogDrawnOver(found: Found): Element | undefined {
  const dialogs = dialogsInFront(treesOf(document));
  if (!dialogs.length || dialogs.some((dialog) => contains(dialog, found.element))) return undefined;
  const drawn = drawnPart(found);
  bringIntoSight(drawn);
  return coverOver(drawn) ? dialogs.at(-1) : undefined;
}

/** Return the place in an element, scrolled to if need be: `x` and `y` from its upper left corner, else its middle. */
function spotIn({ element, tree }: Found, { x, y }: Query): Spot {
  if (x === undefined && y === undefined) return middleInSight({ element, tree });
  const { width, height } = outlineOf(element);
  if (x > width) refuse('x', x, `x is outside of the element, which is ${Math.round(width)} px wide.`);
  if (y > height) refuse('y', y, `y is outside of the element, which is ${Math.round(height)} px high.`);
  const spot = () => {
    const outline = outlineOf(element);
    return { x: outline.left + (x ?? width / 2), y: outline.top + (y ?? height / 2) };
  };
  const view = element.ownerDocument.defaultView;
  const there = spot();
  if (!view || isWithin(view, there)) return there;
  view.scrollBy({ left: there.x - view.innerWidth / 2, top: there.y - view.innerHeight / 2, behavior: 'instant' });
  const now = spot();
  if (isWithin(view, now)) return now;
  return fail('element_not_visible', `The place ${x}, ${y} of the element cannot be brought into sight.`, {
    recovery: 'Scroll to it first: interact(action:"scroll_to") or "wheel".',
  });
}

export function isWithin({ innerWidth, innerHeight }: Window, { x, y }: Spot): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

export function requireEnabled(element: Element, selector: string) {
  const off =
    nodes.matches(element, ':disabled') ||
    nodes.closest(element, '[aria-disabled="true"], [inert]') !== null ||
    (nodes.tag(element).includes('-') && nodes.matches(element, '[disabled]:not([disabled="false"])')); // a component
  if (!off) return;
  fail('element_disabled', `${JSON.stringify(clip(selector, 200))} is disabled.`, {
    details: { selector: clip(selector, 500) },
    recovery: 'Do first what enables it: fill what is required, or wait with interact(action:"wait_for").',
  });
}

export function isLabelOf(hit: Element, element: Element) {
  return [...((element as HTMLInputElement).labels ?? [])].some((label) => contains(label, hit));
}

/** Whether it takes files: such fields are hidden more often than not. */
export function canTakeFiles({ element }: Found): boolean {
  return isFileField(element);
}

/** Why a field takes no text; lists and calendars of many kits are such a field. */
export const READ_ONLY = 'It is read-only; if it opens a list or a calendar, click on it and choose there.';

/** Why an element takes no text, and what to do instead. */
export function whyNotTyped(element: Element): string {
  if (isFileField(element)) return 'It is no field that takes text: use upload.';
  if (nodes.closest(element, '[role="slider"]'))
    return 'It is no field that takes text: move it with key_press (ArrowRight, End), or drag.';
  if (nodes.closest(element, 'td, [role="gridcell"], [role="cell"]'))
    return 'It is no field that takes text: if one opens there, click with count:2 first.';
  return 'It is no field that takes text.';
}

export function refuseKind(selector: string, action: string, why: string): never {
  return fail('invalid_params', `${JSON.stringify(clip(selector, 200))} is nothing to ${action}. ${why}`, {
    details: { parameter: 'selector', value: clip(selector, 500) },
  });
}

/** Return what has the focus, through shadow roots and frames of the same origin. */
export function elementInFocus(): Found {
  const trees = treesOf(document);
  let tree = trees[0] as Tree;
  for (;;) {
    const element = (tree.root as Document).activeElement ?? document.body;
    const inner = tree.inner.get(element);
    if (!inner) return { element, tree };
    tree = inner;
  }
}

/** Return what is drawn there, in all shadow roots. */
export function drawnAt(root: Document | ShadowRoot, at: Spot): Element | null {
  const hit = hitAt(root, at);
  const html = hit && nodes.namespace(hit) === 'http://www.w3.org/1999/xhtml'; // `instanceof` knows only this frame's
  const inner = html ? chrome.dom.openOrClosedShadowRoot(hit as HTMLElement) : null;
  return (inner && inner !== root && drawnAt(inner, at)) || hit;
}

/** Return what a pointer hits there: what is drawn at the place, if it is a part of the element, or of the box of its list. */
export function hitIn({ element, tree }: Found, at: Spot): Element {
  const drawn = drawnAt(tree.root as Document | ShadowRoot, at);
  const isPart = (whole: Element) => drawn !== null && contains(whole, drawn);
  if (isPart(element) || (opensList(element) && isPart(drawnPart({ element, tree }).element))) return drawn as Element;
  return partAt(element, at);
}
