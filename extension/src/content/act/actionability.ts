// Checks that the element of an action can be acted on: enabled, in sight, not covered; it must do nothing but scroll.

import { canBeActedOn, drawnPart } from '../dom/choose_element.ts';
import { describeCover } from '../dom/covers.ts';
import { fail } from '../dom/faults.ts';
import { nameOf } from '../dom/naming.ts';
import { nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { bringIntoSight, contains, type Found, outlineOf } from '../dom/visibility.ts';
import { isFileField } from './field_kinds.ts';

/**
 * Bring an element into sight, and check that a pointer at its middle would hit it. Return its middle, in its own
 * frame's viewport.
 */
export function bringIntoReach(found: Found, selector: string): { x: number; y: number } {
  requireEnabled(found.element, selector);
  const { element, tree } = drawnPart(found);
  bringIntoSight({ element, tree });
  const { left, top, right, bottom } = outlineOf(element);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const root = tree.root as Document | ShadowRoot;
  const hit = root.elementFromPoint(x, y);
  if (hit && hit !== element && !contains(element, hit) && !isLabelOf(hit, found.element)) {
    const { cover, text } = describeCover(element, hit);
    fail('element_covered', `${JSON.stringify(clip(selector, 200))} ${text}.`, {
      details: { selector: clip(selector, 500), covered_by: nameOf(cover) },
      recovery: 'Close or move what covers it (a dialog, a banner), or scroll; then try again.',
    });
  }
  return { x, y };
}

export function requireEnabled(element: Element, selector: string) {
  const off = nodes.matches(element, ':disabled') || nodes.closest(element, '[aria-disabled="true"], [inert]') !== null;
  if (!off) return;
  fail('element_disabled', `${JSON.stringify(clip(selector, 200))} is disabled.`, {
    details: { selector: clip(selector, 500) },
    recovery: 'Do first what enables it: fill what is required, or wait with interact(action:"wait_for").',
  });
}

export function isLabelOf(hit: Element, element: Element) {
  return [...((element as HTMLInputElement).labels ?? [])].some((label) => contains(label, hit));
}

export function canTakeFiles(found: Found) {
  return isFileField(found.element) || canBeActedOn(found); // file fields are hidden more often than not
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
export function drawnAt(root: Document | ShadowRoot, { x, y }: { x: number; y: number }): Element | null {
  const hit = root.elementFromPoint(x, y);
  const html = hit && nodes.namespace(hit) === 'http://www.w3.org/1999/xhtml'; // `instanceof` knows only this frame's
  const inner = html ? chrome.dom.openOrClosedShadowRoot(hit as HTMLElement) : null;
  return (inner && inner !== root && drawnAt(inner, { x, y })) || hit;
}
