// Clicks as a hand does: with which button, how often, where, with which keys held, and how long.
//
// Events and their order are Chrome's: the menu is asked for when the right button goes down, as on Linux and macOS.

import { modifiersFrom } from '../../shared/modifiers.ts';
import { partAt } from '../dom/components.ts';
import { fail } from '../dom/faults.ts';
import { nodes } from '../dom/nodes.ts';
import type { Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { aimAgain, bringIntoReach, drawnAt, hitIn } from './actionability.ts';
import type { Spot } from './drag.ts';
import { focusAround, isText } from './field_kinds.ts';
import { pressOption } from './list_boxes.ts';
import { currentObservation, hasChanged } from './observer.ts';
import { noteInteraction } from './own_clock.ts';
import { dropFocus, giveFocus } from './page_focus.ts';
import { pageTask, pageTurn } from './page_turns.ts';
import { point, pointOnto } from './pointer.ts';

/** Numbers of a button, alone and among those that are pressed (https://www.w3.org/TR/uievents/#dom-mouseevent-buttons). */
const BUTTONS = { left: [0, 1], middle: [1, 4], right: [2, 2] } as const;

/** What two and three clicks select. */
const UNITS = ['', '', 'word', 'paragraphboundary'];

const CLOSED_LIST = 'select:not([multiple], [size]:not([size="1"]))';

type Gesture = {
  element: Element;
  at: Spot;
  /** Looked up each time: a component may draw itself again in between. */
  hit: () => Element;
  /** Of every event. */
  init: MouseEventInit;
  /** The buttons that are pressed while it is down. */
  buttons: number;
  /** Puts the caret where it clicks, and selects. */
  selects: boolean;
  /** Reports what the press has chosen in a list. */
  chosen: (() => void) | undefined;
  /** The page has left to Chrome what the other buttons do. */
  unanswered: boolean;
};

/** The press that is held. */
let held: { gesture: Gesture; count: number } | undefined;

/** Click; between two events the page has its turn, as between those of a hand. */
export async function click(found: Found, query: Query, selector: string): Promise<ActionDone> {
  const gesture = gestureOf(found, query, selector);
  const { hit, at, init } = gesture;
  const count = query['count'] ?? 1;
  const hasMoved = pointOnto(hit(), at);
  point(hit(), at, ['pointermove', 'mousemove'], init);
  if (!hasMoved) await pageTurn();
  else if (await pageTask()) leftBefore(); // what a pointer enters, React draws in a task
  if (nodes.isConnected(found.element)) Object.assign(at, aimAgain(found, at, query));
  else gesture.element = hit(); // the page has drawn anew what is pointed at
  for (let nth = 1; nth < count; nth++) {
    press(gesture, nth);
    await pageTurn();
    if ((await letGo(gesture, nth)).detached) return { detached: true };
    await pageTurn();
  }
  press(gesture, count);
  held = { gesture, count };
  if (query['hold_ms'] !== undefined) return {};
  await pageTurn();
  return release();
}

/** Fail for a page that was left by itself: nothing was pressed. */
function leftBefore(): never {
  return fail('page_navigated', 'The page was left before this was done in it.', {
    recovery: 'Wait for the page that comes, look at it, then act.',
  });
}

/** Let go of the press that is held; the query has `id` and `cancel`. */
export function releasePress({ id, cancel }: Query): object | Promise<object> {
  if (currentObservation?.id !== id) return { gone: true };
  if (!cancel) return release();
  const { hit, at, init } = held?.gesture ?? {};
  held = undefined;
  if (hit && at) point(hit(), at, ['pointercancel', 'mouseup'], init);
  return {};
}

function gestureOf(found: Found, query: Query, selector: string): Gesture {
  const { button = 'left', modifiers } = query;
  const at = bringIntoReach(found, selector, query);
  const isPlain = ['button', 'count', 'modifiers', 'hold_ms', 'x', 'y'].every((name) => query[name] === undefined);
  const [number, buttons] = BUTTONS[button as keyof typeof BUTTONS];
  return {
    element: found.element,
    at,
    hit: () => partAt(hitOf(found, at), at), // a text in a slot is in no element of the component
    init: { ...modifiersFrom(modifiers), button: number },
    buttons,
    selects: !isPlain && number === 0,
    chosen: undefined,
    unanswered: false,
  };
}

/** Return what a pointer hits: of what was drawn anew, what is there now. */
function hitOf(found: Found, at: Spot): Element {
  const isThere = nodes.isConnected(found.element);
  return (isThere ? undefined : drawnAt(found.tree.root as Document | ShadowRoot, at)) ?? hitIn(found, at);
}

function press(gesture: Gesture, detail: number) {
  const { hit, at, init, buttons } = gesture;
  const down = { ...init, detail, buttons };
  const pressed = hit();
  if (point(pressed, at, ['pointerdown', 'mousedown'], down)) {
    focusBy(pressed);
    if (init.button === 0) gesture.chosen = pressOption(pressed, down);
    if (gesture.selects) selectAt(pressed, at, detail, down.shiftKey === true);
  }
  if (init.button === 2) gesture.unanswered = point(hit(), at, ['contextmenu'], { ...down, detail: 0 });
}

async function release(): Promise<ActionDone> {
  const { gesture, count } = held ?? {};
  held = undefined;
  if (!gesture || !count) return {};
  const done = await letGo(gesture, count);
  if (gesture.unanswered) return { ...done, check: () => leftToChrome(gesture) };
  return nodes.matches(gesture.element, CLOSED_LIST) ? { ...done, check: openNoList } : done;
}

/** State that Chrome opens a list for a person alone, in a window that no script reaches. */
function openNoList(): { hint?: string } {
  return hasChanged() ? {} : { hint: 'A script opens no list: choose with interact(action:"select").' };
}

/** Report Chrome's own menu; a link that the middle button would have opened in a new tab is an error. */
function leftToChrome({ init }: Gesture): object | undefined {
  if (init.button === 2) return { browser_menu: true };
  if (hasChanged()) return undefined;
  return fail('needs_trusted', 'A script cannot have Chrome open a link by the middle button.', {
    recovery: 'Call again with trusted:true, or with modifiers:"Control" in the place of the button.',
  });
}

async function letGo(gesture: Gesture, detail: number): Promise<ActionDone> {
  const { element, hit, at, init } = gesture;
  point(hit(), at, ['pointerup', 'mouseup'], { ...init, detail });
  gesture.chosen?.();
  await pageTurn();
  if (!nodes.isConnected(element)) return { detached: true }; // what acts on the press often closes then: a menu
  const clicked = hit();
  const type = init.button === 0 ? 'click' : 'auxclick';
  const begun = performance.now();
  const went = point(clicked, at, [type], { ...init, detail });
  noteInteraction(element, type, begun);
  if (init.button === 1) gesture.unanswered = went && nodes.closest(clicked, 'a[href]') !== null;
  if (init.button !== 0 || detail !== 2) return {};
  await pageTurn();
  if (nodes.isConnected(element)) point(hit(), at, ['dblclick'], { ...init, detail });
  return {};
}

/** Move the focus as a press does: to what takes it there, else away from what has it. */
function focusBy(pressed: Element) {
  const taker = focusAround(pressed);
  if (taker) giveFocus(taker);
  else dropFocus();
}

/** Put the caret at a place, and select the word or the paragraph there, as Chrome does at a press. */
function selectAt(pressed: Element, { x, y }: Spot, clicks: number, extend: boolean) {
  const { ownerDocument } = pressed;
  const { offsetNode, offset } = ownerDocument.caretPositionFromPoint?.(x, y) ?? {};
  if (!offsetNode || offset === undefined || getComputedStyle(pressed).userSelect === 'none') return;
  const selection = ownerDocument.getSelection();
  if (offsetNode.nodeType === 1 && isText(offsetNode as Element)) placeInField(offsetNode as HTMLInputElement, offset);
  else if (extend && selection?.anchorNode) selection.extend(offsetNode, offset);
  else selection?.setPosition(offsetNode, offset);
  const unit = UNITS[clicks];
  if (!unit) return;
  selection?.modify('move', 'forward', unit);
  selection?.modify('move', 'backward', unit);
  selection?.modify('extend', 'forward', unit);
}

function placeInField(field: HTMLInputElement, offset: number) {
  try {
    field.setSelectionRange(offset, offset);
  } catch {
    // a field of numbers has no places in it
  }
}
