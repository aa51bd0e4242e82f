// Returns where real input for an action has to go, once the action's checks are passed, and observes from then on; it must send none.

import type { InputAction } from '../../shared/action_groups.ts';
import { elementToActOn } from '../dom/choose_element.ts';
import { hitAt, partFor } from '../dom/components.ts';
import { drawnPart } from '../dom/drawn_parts.ts';
import { fail } from '../dom/faults.ts';
import { locate } from '../dom/locate.ts';
import { briefNameOf, nameOf } from '../dom/naming.ts';
import { isDocument, isHtml, nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { clip } from '../dom/text.ts';
import { bringIntoSight, type Found, outlineOf, paneSize, viewOf } from '../dom/visibility.ts';
import { frame, frameOf, type PressGuard, type Query } from '../frame.ts';
import {
  bringIntoReach,
  drawnAt,
  elementInFocus,
  isLabelOf,
  READ_ONLY,
  refuseKind,
  whyNotTyped,
} from './actionability.ts';
import { draggableAt, endOf } from './drag.ts';
import { editorInput, selectInEditor } from './editors.ts';
import { isEditable, isText } from './field_kinds.ts';
import { accepted, caretAtEnd, holdsText } from './field_values.ts';
import { focusForKeys } from './key_target.ts';
import { pressOf } from './keys.ts';
import { lastCheck } from './last_check.ts';
import { expectLate, observe } from './observer.ts';
import { giveFocus } from './page_focus.ts';
import { stepOf } from './recorded_steps.ts';

/** In CSS pixels of what is seen of the page. */
type Point = { x: number; y: number };

/**
 * Return where an action's input has to go. Before `go` nothing is begun: the page may still be moving. The query has
 * `id`, `action`, `analyze`, `go`, and the action's own arguments.
 */
export function inputTarget({ id, action, analyze, go, ...query }: Query) {
  if (document.hidden) refuseHidden();
  const { found, ...target } = targets[action as InputAction](query);
  if (go === true) {
    const observation = observe(String(id), analyze === true, query['a11y'] === true);
    frame.setOwnInput?.(true);
    Object.assign(lastCheck, { run: undefined, field: undefined, focus: action === 'key_press' });
    const acted = found?.element ?? elementInFocus().element;
    expectLate(observation, String(action), acted);
    frame.beginStep?.(acted)(stepOf(String(action), acted, query));
    const guard = found && expectPress(found, query);
    if (guard && action === 'click' && isPlain(query)) lastCheck.run = () => unclicked(found.element, guard);
  }
  return target;
}

/** Whether a click is to come of a press as soon as it was sent. */
function isPlain({ button = 'left', hold_ms }: Query): boolean {
  return button === 'left' && hold_ms === undefined;
}

/** A page may put another element in the place of one between the press and the release: then Chrome clicks neither. */
function unclicked(element: Element, { landed, clicked }: PressGuard): object {
  return landed && !clicked && !nodes.isConnected(element) ? { detached: true } : {};
}

type InputTarget = { [target: string]: unknown } & Hit;

interface Hit {
  /** What a press is meant for. */
  found?: Found | undefined;
  /** The place is a frame with a page of its own, which gets the press. */
  framed?: boolean | undefined;
}

/** What shows a page of its own. */
const FRAMES = /^(iframe|frame|object|embed|fencedframe)$/;

function expectPress(found: Found, query: Query): PressGuard | undefined {
  const { element } = found;
  const drawn = drawnPart(found).element;
  const there = frameOf(element.ownerDocument.defaultView)?.pressGuard;
  if (!there) return undefined;
  there.isMeant = (path) =>
    path.includes(drawn) || isHit(element, path) || (!nodes.isConnected(element) && isHit(redrawn(query), path));
  there.reached = nodes.matches(element, ':hover');
  return there;
}

function isHit(element: Element | undefined, path: EventTarget[]) {
  return (
    element !== undefined && (path.includes(element) || (path[0] instanceof Element && isLabelOf(path[0], element)))
  );
}

/** Return what a page has put in the place of the target when the pointer came. */
function redrawn(query: Query): Element | undefined {
  try {
    return elementToActOn(query).element;
  } catch {
    return undefined;
  }
}

const targets: Record<InputAction, (query: Query) => InputTarget> = {
  click: pointerTarget,
  hover: pointerTarget,
  wheel: pointerTarget,
  type: textTarget,
  key_press: keyTarget,
  drag: dragTarget,
};

function pointerTarget(query: Query) {
  const found = elementToActOn(query);
  return { found, ...placeOfInput(found, String(query['selector']), query) };
}

function textTarget(query: Query) {
  const found = partFor(elementToActOn(query), 'type');
  const selector = String(query['selector']);
  if (editorInput(found.element)) return { found, ...placeOfInput(found, selector) };
  if (isPicked(found.element))
    refuseKind(selector, 'type in with trusted', 'Its value is picked, not written: leave trusted out.');
  if (!isEditable(found.element)) refuseKind(selector, 'type', whyNotTyped(found.element));
  if (nodes.matches(found.element, ':read-only') && !(found.element as HTMLElement).isContentEditable)
    refuseKind(selector, 'type', READ_ONLY);
  return { found, ...placeOfInput(found, selector) };
}

/** Whether the value is picked in parts or from a picture, and takes no text at once. */
function isPicked(element: Element): boolean {
  return (
    isHtml(element, 'input') &&
    /^(date|datetime-local|month|week|time|color|range)$/.test((element as HTMLInputElement).type)
  );
}

/** Chrome hands a hidden page its input seconds late, or never (measured in Chromium 156). */
function refuseHidden() {
  fail('tab_hidden', 'The tab is not in front: real input would not reach it.', {
    recovery: 'Show it with interact(action:"switch_tab", tab_id), or leave trusted out.',
  });
}

/**
 * Put the caret where text is to be written, into the field that has been clicked on; a later check reads whether the
 * field keeps it. The query has `text`, `clear`, `selector` and `nth`.
 */
export function placeCaret({ text, clear = true, ...query }: Query) {
  const { element } = partFor(elementToActOn(query), 'type');
  const selector = String(query['selector']);
  const editor = editorInput(element);
  if (editor) {
    Object.assign(lastCheck, { run: selectInEditor(editor, text, clear !== false, selector), field: element });
    return {};
  }
  giveFocus(element);
  if (isText(element)) {
    const field = element as HTMLInputElement;
    const value = clear === false ? field.value + text : text;
    if (clear === false) caretAtEnd(field);
    else field.select();
    Object.assign(lastCheck, { run: () => accepted(field, value, selector), field });
  } else {
    const selection = element.ownerDocument.getSelection();
    selection?.selectAllChildren(element);
    if (clear === false) selection?.collapseToEnd();
    Object.assign(lastCheck, { run: () => holdsText(element, text, clear !== false, selector), field: element });
  }
  return {};
}

function keyTarget({ key, ...query }: Query) {
  const press = pressOf(key);
  if (query['selector'] !== undefined) focusForKeys(partFor(elementToActOn(query), 'key_press').element);
  return { press };
}

/** Return whether what is dragged is draggable now, after the press. */
export function isCarried({ selector, nth = 0 }: Query) {
  const { element } = locate(treesOf(document), selector)[nth] ?? {};
  return { carried: element !== undefined && draggableAt(element) !== null };
}

function dragTarget(query: Query) {
  return query['to'] === undefined ? offsetTarget(query) : goalTarget(query);
}

function offsetTarget(query: Query) {
  const found = elementToActOn(query);
  const own = bringIntoReach(found, String(query['selector']), query);
  const end = pointOf(found, endOf(found.element, own, query));
  return { found, ...placeOfInput(found, String(query['selector']), query), to: end, ...drawnOf(found) };
}

function drawnOf({ element }: Found) {
  const draggable = nodes.closest(element, '[draggable="true"], img, a[href]') !== null;
  return { draggable };
}

function goalTarget({ to, nth, ...query }: Query) {
  const goal = elementToActOn({ selector: to });
  bringIntoSight(goal);
  const found = elementToActOn({ ...query, nth });
  const place = placeOfInput(found, String(query['selector']), query);
  const end = pointOf(goal, middleOf(goal.element));
  const { width, height } = paneSize();
  if (end.x < 0 || end.y < 0 || end.x > width || end.y > height) {
    fail(
      'element_not_visible',
      `${JSON.stringify(clip(String(query['selector']), 200))} and ${JSON.stringify(clip(String(to), 200))} cannot be seen at once.`,
      {
        details: { selector: clip(String(to), 500) },
        recovery: 'Drag in steps, onto something between the two; or without trusted.',
      },
    );
  }
  return { found, ...place, to: end, ...drawnOf(found) };
}

function placeOfInput(found: Found, selector: string, asked: Query = {}): { at: Point; framed: boolean } {
  const own = bringIntoReach(found, selector, asked);
  const point = pointOf(found, own);
  for (let at = found.tree as Tree | null; at?.outer; at = at.outer) {
    if (!isDocument(at.root) || !at.opener) continue;
    const [view, root] = [viewOf(at.outer), at.outer.root as Document | ShadowRoot];
    const over = hitAt(root, {
      x: (point.x + shiftOfSight().x - view.x) / view.scaleX,
      y: (point.y + shiftOfSight().y - view.y) / view.scaleY,
    });
    if (over && over !== at.opener) covered(selector, over);
  }
  const hit = drawnAt(found.tree.root as Document | ShadowRoot, own);
  return { at: point, framed: hit !== null && FRAMES.test(nodes.tag(hit)) };
}

function covered(selector: string, over: Element) {
  fail('element_covered', `The frame of ${JSON.stringify(clip(selector, 200))} is covered by ${briefNameOf(over)}.`, {
    details: { selector: clip(selector, 500), covered_by: nameOf(over) },
    recovery: 'Close or move what covers it (a dialog, a banner), or scroll; then try again.',
  });
}

function middleOf(element: Element) {
  const { left, top, right, bottom } = outlineOf(element);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Put a place of a frame's viewport into what is seen of the page. */
function pointOf({ tree }: Found, { x, y }: { x: number; y: number }): Point {
  const view = viewOf(tree);
  const shift = shiftOfSight();
  return { x: view.x + x * view.scaleX - shift.x, y: view.y + y * view.scaleY - shift.y };
}

/** Return the offset of the visual viewport, which a pinch has zoomed. */
function shiftOfSight(): { x: number; y: number } {
  return { x: visualViewport?.offsetLeft ?? 0, y: visualViewport?.offsetTop ?? 0 };
}
