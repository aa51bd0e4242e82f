// Finds what is drawn in the place of a field that cannot be seen itself, as components do it.

import { editorAround } from './code_editors.ts';
import { isHtml, nodes } from './nodes.ts';
import { treeOf } from './search.ts';
import { around, canBeSeen, type Found, isForReaders, isOutOfSight } from './visibility.ts';

/** How far above a field that cannot be seen its drawn box may be, and how high in pixels that of one to be ticked. */
const BOX_LEVELS = 3;
const BOX_HEIGHT = 64;

/** What is ticked; Carbon's switch is a button that only readers find. */
const TICKED = '[type="checkbox"], [type="radio"], [role="checkbox"], [role="radio"], [role="switch"]';

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
  return isHtml(element, 'input') || nodes.matches(element, '[role="combobox"]') || takesTick(element);
}

function takesTick(element: Element): boolean {
  return nodes.matches(element, TICKED);
}

/** Whether components draw something else in its place: a list with a choice, the thumb of a slider, a switch. */
function isDrawnByComponent(element: Element): boolean {
  const isKind = opensList(element) || (element as HTMLInputElement).type === 'range' || takesTick(element);
  return isKind && isForReaders(element);
}

/** Whether it states that it opens a list or a tree. */
export function opensList(element: Element): boolean {
  return nodes.matches(element, '[role="combobox"], [aria-haspopup="listbox"], [aria-haspopup="tree"]');
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
  const box = isDrawnByComponent(element) ? boxInSight(element) : undefined;
  const isThumb = (element as HTMLInputElement).type === 'range';
  if (isThumb || (box && opensList(element))) return box; // a label moves no thumb, and mostly opens no list
  return labelInSight(element) ?? box;
}

/** Return the next box around a field that can be seen; of one that is ticked, a box that draws nothing else. */
function boxInSight(field: Element): Element | undefined {
  let at = around(field);
  for (let up = 0; at && up < BOX_LEVELS; up++, at = around(at))
    if (canBeSeen({ element: at, tree: treeOf(at) }) && !isOutOfSight(at))
      return takesTick(field) && !isBoxOf(field, at) ? undefined : at;
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
export function isDrawnOtherwise({ element, tree }: Found): boolean {
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
