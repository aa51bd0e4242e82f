// Chooses the one element that a command means; it must change nothing, and not decide whether the action can be done.

import type { Query } from '../frame.ts';
import { accessibleName } from './accessible_name.ts';
import { editorAround } from './code_editors.ts';
import { fail } from './faults.ts';
import { translated, written } from './foreign_selectors.ts';
import { locate, refOf, suggestions } from './locate.ts';
import { isHtml, nodes } from './nodes.ts';
import { type Tree, treeOf, treesOf } from './search.ts';
import { selectorWriter } from './selectors.ts';
import { clip, oneLine } from './text.ts';
import { around, canBeSeen, type Found, isForReaders, isOutOfSight } from './visibility.ts';

/** How many candidates an ambiguous selector is answered with (SPEC, Selectors). */
const CANDIDATES = 5;

/** What a combobox may open (WAI-ARIA 1.2, combobox). */
const POPUPS = '[role=listbox], [role=tree], [role=grid], [role=dialog]';

/** How far above a field that cannot be seen its drawn box may be, and how high in pixels that of one to be ticked. */
const BOX_LEVELS = 3;
const BOX_HEIGHT = 64;

/** Choose the element for something that only reads: the first match, visible or not. */
export function elementToRead({ selector, nth = null }: Query): Found {
  const found = locate(treesOf(document), selector);
  return found[nth ?? 0] ?? notFound(selector, found.length, nth);
}

/** Choose the element to act on: the one visible match, or the match number `nth`. `more`: what else the action takes. */
export function elementToActOn({ selector, nth = null }: Query, more?: (found: Found) => boolean): Found {
  const trees = treesOf(document);
  const found = locate(trees, selector);
  const plain = found.filter((one) => canBeActedOn(one) || more?.(one));
  const seen = plain.length ? plain : found.filter(isDrawnOtherwise); // may be a trap for robots: not if another is seen
  const read = seen.length > 1 ? seen.filter(({ element }) => isForReaders(element)) : [];
  const visible = withoutListsOf(read.length ? read : seen); // a copy that is only drawn is not meant
  if (nth !== null)
    return (
      visible[nth] ??
      (found.length && !visible.length ? notVisible(selector, found) : notFound(selector, visible.length, nth))
    );
  if (visible.length > 1) ambiguous(selector, visible, trees);
  return visible[0] ?? (found.length ? notVisible(selector, found) : notFound(selector, 0, null));
}

/** Leave out the list that another match has opened, and which has its name: https://www.w3.org/TR/wai-aria-1.2/#combobox. */
function withoutListsOf(found: Found[]): Found[] {
  const opened = new Set(
    found.flatMap(({ element }) => nodes.attribute(element, 'aria-controls')?.match(/\S+/g) ?? []),
  );
  const isOpened = (element: Element) => opened.has(nodes.attribute(element, 'id') ?? '');
  return found.filter(({ element }) => !(isOpened(element) && nodes.matches(element, POPUPS)));
}

/**
 * Whether a match is seen. A file field is often hidden behind its label; a box that is ticked, the field of a list with a
 * choice, and that of a slider behind what is drawn of them; what takes the keys of an editor behind its text.
 */
export function canBeActedOn(found: Found) {
  const { element } = found;
  if (canBeSeen(found) && (isHtml(element, 'textarea') || !isOutOfSight(element))) return true; // editors keep theirs out of sight
  if (isEditorDrawn(found)) return true;
  if (!isField(element)) return false;
  const { type } = element as HTMLInputElement;
  if (!/^(file|checkbox|radio)$/.test(type) && !isDrawnByComponent(element)) return false;
  return (type !== 'file' && isDrawnOtherwise(found)) || drawnInstead(element) !== undefined;
}

function isField(element: Element): boolean {
  return isHtml(element, 'input') || nodes.matches(element, '[role="combobox"]');
}

/** Whether components draw something else in its place: a list with a choice, the thumb of a slider, a switch. */
function isDrawnByComponent(element: Element): boolean {
  const { type } = element as HTMLInputElement;
  const opensList = nodes.matches(element, '[role="combobox"], [aria-haspopup="listbox"]');
  const isKind = opensList || /^(range|checkbox|radio)$/.test(type);
  return isKind && isForReaders(element);
}

function isEditorDrawn({ element, tree }: Found): boolean {
  const editor = editorAround(element);
  return editor !== undefined && canBeSeen({ element: editor, tree }) && !isOutOfSight(editor);
}

/** Return what is drawn for an element that cannot be seen itself: an editor, a label, or the box around it. */
export function drawnPart(found: Found): Found {
  const { element } = found;
  const editor = editorAround(element);
  if (editor) return { element: editor, tree: found.tree };
  if (!isField(element) || (canTakePointer(element) && !isOutOfSight(element))) return found;
  const drawn = drawnInstead(element);
  return drawn ? { element: drawn, tree: treeOf(drawn) } : found;
}

function canTakePointer(element: Element): boolean {
  if (!nodes.isRendered(element)) return false;
  const { opacity, pointerEvents } = getComputedStyle(element);
  return opacity !== '0' || pointerEvents !== 'none';
}

function drawnInstead(element: Element): Element | undefined {
  const isThumb = (element as HTMLInputElement).type === 'range'; // its label moves nothing
  return (
    (isThumb ? undefined : labelInSight(element)) ?? (isDrawnByComponent(element) ? boxInSight(element) : undefined)
  );
}

/** Return the next box around a field that can be seen; of one that is ticked, a box that draws nothing else. */
function boxInSight(field: Element): Element | undefined {
  const isTicked = /^(checkbox|radio)$/.test((field as HTMLInputElement).type);
  let at = around(field);
  for (let up = 0; at && up < BOX_LEVELS; up++, at = around(at))
    if (canBeSeen({ element: at, tree: treeOf(at) }) && !isOutOfSight(at))
      return isTicked && !isBoxOf(field, at) ? undefined : at;
  return undefined;
}

/** Whether a box is as high as a line, and of this control alone, which lies in it and was not moved away. */
function isBoxOf(field: Element, box: Element): boolean {
  const { left, right, top, bottom, height } = nodes.box(box);
  const { x, y } = nodes.box(field);
  if (height > BOX_HEIGHT || x < left || x > right || y < top || y > bottom) return false;
  return nodes.within(box, 'a[href], button, input, select, textarea, [tabindex]').length === 1;
}

function labelInSight(field: Element): Element | undefined {
  const labels = [...((field as HTMLInputElement).labels ?? [])];
  return labels.find((label) => canBeSeen({ element: label, tree: treeOf(label) }) && !isOutOfSight(label));
}

/**
 * Whether a field is only transparent, over what is drawn in its place: components do so with boxes, and with the field
 * of a list that has a choice.
 */
function isDrawnOtherwise({ element, tree }: Found): boolean {
  const { width, height } = nodes.box(element);
  if (!isField(element) || !width || !height || !nodes.isRendered(element, { checkVisibilityCSS: true })) return false;
  const { opacity, pointerEvents } = getComputedStyle(element);
  const over = around(element);
  return (
    opacity === '0' &&
    pointerEvents !== 'none' &&
    nodes.attribute(element, 'aria-hidden') !== 'true' &&
    over !== null &&
    canBeSeen({ element: over, tree })
  );
}

export function notFound(selector: string, count: number, nth: number | null): never {
  const shown = JSON.stringify(clip(selector, 500));
  const text =
    nth !== null && count
      ? `${shown} has ${count} matches that can be seen, so no number ${nth}.`
      : `Nothing on the page matches ${shown}.`;
  const offered = count ? [] : suggestions(treesOf(document), selector);
  if (offered.length)
    return fail('element_not_found', text, {
      details: { selector: clip(selector, 500), match_count: count, candidates: offered },
      recovery: `Use ${offered[0]}, if that is meant; else look with interact(action:"list_interactive").`,
    });
  const ref = count ? undefined : translated(selector);
  return fail('element_not_found', text, {
    details: { selector: clip(selector, 500), match_count: count },
    recovery: ref
      ? `Use ${written(ref)}.`
      : 'Look with query_dom or interact(action:"list_interactive"), or wait with interact(action:"wait_for").',
  });
}

export function notVisible(selector: string, found: Found[]): never {
  return fail('element_not_visible', `What matches ${JSON.stringify(clip(selector, 500))} cannot be seen.`, {
    details: { selector: clip(selector, 500), match_count: found.length },
    recovery: found.every(({ element }) => isHtml(element, 'option'))
      ? 'Choose an option with interact(action:"select") on its list.'
      : 'Bring it to light first (open its menu or dialog), or choose another element.',
  });
}

export function ambiguous(selector: string, visible: Found[], trees: Tree[]): never {
  const write = selectorWriter(trees);
  const candidates = visible.slice(0, CANDIDATES).map(({ element, tree }) => ({
    ref: refOf(element),
    selector: write(element, tree),
    text: clip(oneLine(accessibleName(element) || (nodes.text(element) ?? '')), 60),
  }));
  return fail(
    'ambiguous_selector',
    `${visible.length} visible elements match ${JSON.stringify(clip(selector, 500))}.`,
    {
      details: { match_count: visible.length, candidates },
      recovery: 'Use ref=… or the selector of the one that is meant, or nth (0 is the first).',
    },
  );
}
