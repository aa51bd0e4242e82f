// Drags an element to another, one step a call; it must not wait, nor drop what the page does not take.
//
// What the page makes draggable goes by HTML's drag and drop (HTML, 6.11.5), everything else by the pointer alone, as
// Chrome does: once a drag has begun, the pointer's own events end with `pointercancel`. A DataTransfer that a script made
// keeps data and files, but no effects (measured): a page that refuses a drop by `dropEffect` alone is not understood.

import { elementToActOn } from '../dom/choose_element.ts';
import { fail, namingParameter, refuse } from '../dom/faults.ts';
import { nodes } from '../dom/nodes.ts';
import { clip } from '../dom/text.ts';
import { type Found, outlineOf } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { bringIntoReach, drawnAt, hitIn, isWithin } from './actionability.ts';
import { focusable } from './field_kinds.ts';
import { currentObservation, hasChanged } from './observer.ts';
import { giveFocus } from './page_focus.ts';
import { point, pointTo, sendDrag } from './pointer.ts';

/** How many moves there are from the one to the other. */
const MOVES_BETWEEN = 8;

/** The drag that is under way. */
let dragging: Generator<void, void, void> | undefined;

export type Spot = { x: number; y: number };

export function drag(found: Found, query: Query, selector: string): ActionDone {
  const { to } = query;
  if (to === undefined) return dragBy(found, query, selector);
  const goal = namingParameter('to', () => elementToActOn({ selector: to }));
  const [from, onto] = [found.element, goal.element];
  if (from === onto) refuse('to', to, 'to is the element that is dragged.');
  if (from.ownerDocument !== onto.ownerDocument) refuse('to', to, 'to stands in another frame than what is dragged.');
  bringIntoReach(found, selector, query);
  const end = namingParameter('to', () => bringIntoReach(goal, String(to)));
  const start = namingParameter('to', () => stillInSight(found, query, selector));
  const hit = query['x'] === undefined && query['y'] === undefined ? from : hitIn(found, start);
  begin(draggedSteps(hit, onto, start, end, String(to)));
  return { check: hintIfFutile };
}

/** Drag by an offset: what is hit there is dragged, wherever it ends. */
function dragBy(found: Found, query: Query, selector: string): ActionDone {
  const start = bringIntoReach(found, selector, query);
  const end = endOf(found.element, start, query);
  const from = hitIn(found, start);
  begin(draggedSteps(from, nodes.rootElement(from.ownerDocument), start, end, ''));
  return { check: hintIfFutile };
}

/** Hint at real input where nothing of the page has changed: some pages ask for a pointer that they can capture. */
function hintIfFutile(): object {
  return hasChanged()
    ? {}
    : { hint: 'No element of the page has changed; some take a real pointer only: trusted:true.' };
}

/** Return where a drag by an offset ends, which must be in the window. */
export function endOf(element: Element, { x, y }: Spot, { dx = 0, dy = 0 }: Query): Spot {
  const end = { x: x + dx, y: y + dy };
  const view = element.ownerDocument.defaultView;
  if (view && !isWithin(view, end)) {
    const isAcross = end.x < 0 || end.x >= view.innerWidth;
    const [name, value] = isAcross ? ['dx', dx] : ['dy', dy];
    const [least, most] = isAcross ? [-x, view.innerWidth - 1 - x] : [-y, view.innerHeight - 1 - y];
    refuse(
      name,
      value,
      `${name} leads out of the window: from ${Math.ceil(least)} to ${Math.floor(most)} is possible.`,
    );
  }
  return end;
}

function begin(steps: Generator<void, void, void>) {
  dragging?.return();
  dragging = steps;
  dragging.next();
}

/** Return its middle, now that the goal was brought into sight. */
function stillInSight(found: Found, query: Query, selector: string): Spot {
  const before = outlineOf(found.element);
  const spot = bringIntoReach(found, selector, query);
  const now = outlineOf(found.element);
  if (before.left === now.left && before.top === now.top) return spot;
  return fail('element_not_visible', 'It and what is dragged are never in sight together.', {
    details: { selector: clip(selector, 500) },
    recovery: 'Drag in several steps, to something between them; or make the window larger.',
  });
}

/** Take the next step of the drag; the query has `id` and `cancel`. */
export function dragStep({ id, cancel }: Record<string, unknown>): object {
  if (currentObservation?.id !== id) return { gone: true };
  const { done } = (cancel ? dragging?.return() : dragging?.next()) ?? { done: true };
  if (done) dragging = undefined;
  return { done };
}

function* draggedSteps(from: Element, onto: Element, start: Spot, end: Spot, to: string): Generator<void, void, void> {
  const over = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove'];
  point(from, start, over);
  const pressed = point(from, start, ['pointerdown', 'mousedown']);
  if (pressed) giveFocus(focusable(from));
  yield;
  const carried = pressed ? draggableAt(from) : null;
  const data = new DataTransfer();
  if (carried && sendDrag(carried, 'dragstart', start, data)) yield* carry(carried, onto, start, end, data, to);
  else yield* slide(from, onto, start, end);
}

/** Return what Chrome would drag, as the page has it after its listeners of the press have run. */
export function draggableAt(element: Element): Element | null {
  const near = nodes.closest(element, '[draggable="true"], [draggable="false"], a[href], img');
  return near && nodes.attribute(near, 'draggable') !== 'false' ? near : null;
}

/** Carry what is draggable to its goal. */
function* carry(
  carried: Element,
  onto: Element,
  start: Spot,
  end: Spot,
  data: DataTransfer,
  to: string,
): Generator<void, void, void> {
  let dropped = false;
  try {
    pointTo(carried, start, ['pointercancel']);
    let above: Element | null = null;
    let taken = false;
    for (const spot of spotsBetween(start, end)) {
      yield;
      sendDrag(carried, 'drag', spot, data);
      const under = drawnAt(carried.ownerDocument, spot) ?? onto;
      if (under !== above) {
        sendDrag(under, 'dragenter', spot, data);
        if (above) sendDrag(above, 'dragleave', spot, data);
        above = under;
      }
      taken = !sendDrag(under, 'dragover', spot, data);
    }
    yield;
    const last = above ?? onto;
    sendDrag(last, taken ? 'drop' : 'dragleave', end, data);
    dropped = taken;
  } finally {
    sendDrag(carried, 'dragend', end, data);
  }
  if (!dropped) {
    fail(
      'drop_refused',
      `${to ? `to: ${JSON.stringify(clip(to, 200))}` : 'What is there'} does not take what was dragged; it was let go, and nothing dropped.`,
      {
        ...(to && { details: { parameter: 'to', value: clip(to, 500) } }),
        recovery: 'Choose the element that takes it: the page prevents its dragover event.',
      },
    );
  }
}

/** Move the pointer, pressed, to the goal, and let it go there. */
function* slide(from: Element, onto: Element, start: Spot, end: Spot): Generator<void, void, void> {
  let spot = start;
  let let_go = false;
  const under = () => drawnAt((nodes.isConnected(from) ? from : onto).ownerDocument, spot) ?? onto;
  try {
    for (spot of spotsBetween(start, end)) {
      yield;
      pointTo(under(), spot, ['pointermove', 'mousemove'], 1);
    }
    yield;
    pointTo(under(), end, ['pointerup', 'mouseup']);
    let_go = true;
  } finally {
    if (!let_go) pointTo(under(), spot, ['pointercancel', 'mouseup']);
  }
}

/** Return the pointer's way: a little off first, for many pages take less for a click. */
function spotsBetween(start: Spot, end: Spot): Spot[] {
  const share = (part: number) => ({ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
  const way = Array.from({ length: MOVES_BETWEEN }, (_, at) => share((at + 1) / MOVES_BETWEEN));
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  return [share(Math.min(1, 6 / length)), ...way, end];
}
