// Turns the wheel over an element, and scrolls what a real one would, unless the page prevents it.

import { modifiersFrom } from '../../shared/modifiers.ts';
import { nodes } from '../dom/nodes.ts';
import { around, type Found } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { bringIntoReach, hitIn } from './actionability.ts';
import { point, pointOnto } from './pointer.ts';

type Axis = { overflow: 'overflowX' | 'overflowY'; overscroll: 'overscrollBehaviorX' | 'overscrollBehaviorY' } & {
  at: 'scrollLeft' | 'scrollTop';
};

const ACROSS: Axis = { overflow: 'overflowX', overscroll: 'overscrollBehaviorX', at: 'scrollLeft' };
const DOWN: Axis = { overflow: 'overflowY', overscroll: 'overscrollBehaviorY', at: 'scrollTop' };

export function wheel(found: Found, query: Query, selector: string): ActionDone {
  const { dx = 0, dy = 0 } = query;
  const at = bringIntoReach(found, selector, query);
  const under = () => hitIn(found, at);
  const held = modifiersFrom(query['modifiers']);
  pointOnto(under(), at);
  point(under(), at, ['pointermove', 'mousemove'], held);
  const hit = under(); // the page may draw anew what is pointed at
  const init = { bubbles: true, cancelable: true, composed: true, clientX: at.x, clientY: at.y, ...held };
  const view = hit.ownerDocument.defaultView;
  const deltas = { deltaX: dx, deltaY: dy, wheelDeltaX: -dx, wheelDeltaY: -dy }; // else Chrome has the older ones point back
  const went = hit.dispatchEvent(new WheelEvent('wheel', { ...init, view, ...deltas }));
  const zooms = held.ctrlKey || held.metaKey; // then Chrome zooms the page
  const moved = went && !zooms && [scroll(hit, dx, ACROSS), scroll(hit, dy, DOWN)].includes(true);
  return { check: () => ({ ...(went && !moved && { scrolled: false }) }) };
}

/** Scroll the first around the element that has room in that direction, frames of the same origin included. */
function scroll(hit: Element, px: number, axis: Axis): boolean {
  if (!px) return false;
  for (let at = hit as Element | null; at; at = around(at) ?? frameOf(at)) {
    const isRoot = at === nodes.rootElement(at.ownerDocument);
    const scroller = isRoot ? nodes.scroller(at.ownerDocument) : at;
    const style = getComputedStyle(at);
    const scrolls = isRoot ? !/hidden|clip/.test(overflowOfWindow(at, axis)) : /auto|scroll/.test(style[axis.overflow]);
    if (!scroller || !scrolls) continue;
    const before = scroller[axis.at];
    scroller.scrollBy({ [axis.at === 'scrollTop' ? 'top' : 'left']: px, behavior: 'instant' });
    if (scroller[axis.at] !== before) return true;
    if (style[axis.overscroll] !== 'auto') return false;
  }
  return false;
}

/** Return the `overflow` of the window, which is the root's, or the body's (https://drafts.csswg.org/css-overflow/#overflow-propagation). */
function overflowOfWindow(root: Element, { overflow }: Axis): string {
  const own = getComputedStyle(root)[overflow];
  const { body } = root.ownerDocument;
  return own === 'visible' && body ? getComputedStyle(body)[overflow] : own;
}

function frameOf(element: Element): Element | null {
  return element.ownerDocument.defaultView?.frameElement ?? null;
}
