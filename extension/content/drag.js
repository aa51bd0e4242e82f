// Drags an element to another, a step each time it is told; it must not wait, nor drop what the page does not take.
//
// What the page makes draggable goes by HTML's drag and drop (HTML, 6.11.5), everything else by the pointer alone, as
// Chrome does: once a drag has begun, the pointer's own events end with `pointercancel`. A DataTransfer that a script made
// keeps data and files, but no effects (measured): a page that refuses a drop by `dropEffect` alone is not understood.

'use strict';

/** How many moves there are from the one to the other. */
var MOVES_BETWEEN = 8;

/** @type {Generator<void, void, void> | undefined}  the drag that is under way */
var dragging;

/** @typedef {{x: number, y: number}} Spot */

/** @type {Doer} */
function drag(found, { to }, selector) {
  const goal = blaming('to', () => actable({ selector: to }));
  const [from, onto] = [found.element, goal.element];
  if (from === onto) refuse('to', to, 'to is the element that is dragged.');
  if (from.ownerDocument !== onto.ownerDocument) refuse('to', to, 'to stands in another frame than what is dragged.');
  reachable(found, selector);
  const end = blaming('to', () => reachable(goal, String(to)));
  const start = blaming('to', () => stillInSight(found, selector));
  dragging?.return();
  dragging = draggedSteps(from, onto, start, end, String(to));
  dragging.next();
  return {};
}

/**
 * @param {Found} found
 * @param {string} selector
 * @returns {Spot}  its middle, now that the goal was brought into sight
 */
function stillInSight(found, selector) {
  const before = outlineOf(found.element);
  const spot = reachable(found, selector);
  const now = outlineOf(found.element);
  if (before.left === now.left && before.top === now.top) return spot;
  return fail('element_not_visible', 'It and what is dragged are never in sight together.', {
    details: { selector: clip(selector, 500) },
    recovery: 'Drag in several steps, to something between them; or make the window larger.',
  });
}

/**
 * Take the next step of the drag.
 * @param {Record<string, unknown>} query  `id`, `cancel`
 * @returns {object}
 */
function dragStep({ id, cancel }) {
  if (witness?.id !== id) return { gone: true };
  const { done } = (cancel ? dragging?.return() : dragging?.next()) ?? { done: true };
  if (done) dragging = undefined;
  return { done };
}

/**
 * @param {Element} from
 * @param {Element} onto
 * @param {Spot} start
 * @param {Spot} end
 * @param {string} to
 * @returns {Generator<void, void, void>}
 */
function* draggedSteps(from, onto, start, end, to) {
  const over = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove'];
  point(from, start, over);
  const pressed = point(from, start, ['pointerdown', 'mousedown']);
  if (pressed) focusable(from)?.focus({ preventScroll: true });
  yield;
  const carried = pressed ? draggableAt(from) : null;
  const data = new DataTransfer();
  if (carried && tellDrag(carried, 'dragstart', start, data)) yield* carry(carried, onto, start, end, data, to);
  else yield* slide(from, onto, start, end);
}

/**
 * @param {Element} element
 * @returns {Element | null}  what Chrome would drag, as the page has it now that it has heard the press
 */
function draggableAt(element) {
  const near = nodes.closest(element, '[draggable="true"], [draggable="false"], a[href], img');
  return near && nodes.attribute(near, 'draggable') !== 'false' ? near : null;
}

/**
 * Carry what is draggable to its goal.
 * @param {Element} carried
 * @param {Element} onto
 * @param {Spot} start
 * @param {Spot} end
 * @param {DataTransfer} data
 * @param {string} to
 * @returns {Generator<void, void, void>}
 */
function* carry(carried, onto, start, end, data, to) {
  let dropped = false;
  try {
    pointTo(carried, start, ['pointercancel']);
    /** @type {Element | null} */
    let above = null;
    let taken = false;
    for (const spot of spotsBetween(start, end)) {
      yield;
      tellDrag(carried, 'drag', spot, data);
      const under = elementAt(carried, spot) ?? onto;
      if (under !== above) {
        tellDrag(under, 'dragenter', spot, data);
        if (above) tellDrag(above, 'dragleave', spot, data);
        above = under;
      }
      taken = !tellDrag(under, 'dragover', spot, data);
    }
    yield;
    const last = above ?? onto;
    tellDrag(last, taken ? 'drop' : 'dragleave', end, data);
    dropped = taken;
  } finally {
    tellDrag(carried, 'dragend', end, data);
  }
  if (!dropped) {
    fail('drop_refused', `to: ${JSON.stringify(clip(to, 200))} does not take what was dragged; it was let go, and nothing dropped.`, {
      details: { parameter: 'to', value: clip(to, 500) },
      recovery: 'Choose the element that takes it: the page prevents its dragover event.',
    });
  }
}

/**
 * Move the pointer, pressed, to the goal, and let it go there.
 * @param {Element} from
 * @param {Element} onto
 * @param {Spot} start
 * @param {Spot} end
 * @returns {Generator<void, void, void>}
 */
function* slide(from, onto, start, end) {
  let spot = start;
  let let_go = false;
  const under = () => elementAt(nodes.isConnected(from) ? from : onto, spot) ?? onto;
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

/**
 * @param {Spot} start
 * @param {Spot} end
 * @returns {Spot[]}  where the pointer comes by: a little off first, for many pages take less for a click
 */
function spotsBetween(start, end) {
  const share = (/** @type {number} */ part) => ({ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
  const way = Array.from({ length: MOVES_BETWEEN }, (_, at) => share((at + 1) / MOVES_BETWEEN));
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  return [share(Math.min(1, 6 / length)), ...way, end];
}

/**
 * @param {Element} near  of the document that is meant
 * @param {Spot} spot
 * @returns {Element | null}  what a pointer hits there, in open shadow roots too
 */
function elementAt(near, { x, y }) {
  let hit = near.ownerDocument.elementFromPoint(x, y);
  for (let root = hit && nodes.shadowRoot(hit); root; ) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
    root = nodes.shadowRoot(inner);
  }
  return hit;
}

/**
 * @param {Element} element
 * @param {string} type
 * @param {Spot} spot
 * @param {DataTransfer} dataTransfer
 * @returns {boolean}  the page has not prevented it
 */
function tellDrag(element, type, { x, y }, dataTransfer) {
  const cancelable = !/^drag(leave|end)$/.test(type);
  const view = element.ownerDocument.defaultView;
  return element.dispatchEvent(new DragEvent(type, { bubbles: true, composed: true, cancelable, clientX: x, clientY: y, dataTransfer, view }));
}

/**
 * Have a pointer that is pressed, or was, do something.
 * @param {Element} element
 * @param {Spot} spot
 * @param {string[]} types
 * @param {number} [buttons]
 */
function pointTo(element, { x, y }, types, buttons = 0) {
  const told = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, buttons, view: element.ownerDocument.defaultView };
  for (const type of types) {
    const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
    element.dispatchEvent(type.startsWith('pointer') ? new PointerEvent(type, { ...told, ...pointer }) : new MouseEvent(type, told));
  }
}
