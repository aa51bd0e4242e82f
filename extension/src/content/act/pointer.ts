// Remembers what the assistant's pointer was over last, and sends the events of leaving it; it must not move it anywhere.

import { nodes } from '../dom/nodes.ts';
import { around, contains } from '../dom/visibility.ts';
import type { Spot } from './drag.ts';
import { reportFocus } from './page_focus.ts';

/** What a script's pointer was moved onto last; it must not outlive the page's own use. */
let pointedAt: WeakRef<Element> | undefined;

/**
 * Send the events of a pointer that moves from where it was onto an element: what is left and entered gets them as from
 * Chrome, with each element around. Return whether it was not there before.
 */
export function pointOnto(element: Element, { x, y }: { x: number; y: number }): boolean {
  const last = pointedAt?.deref();
  const before = last && nodes.isConnected(last) && last.ownerDocument === element.ownerDocument ? last : undefined;
  const init = { composed: true, cancelable: true, clientX: x, clientY: y, view: element.ownerDocument.defaultView };
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
  const send = (target: Element, kind: string, other: Element | undefined) => {
    const alone = /enter|leave/.test(kind);
    const more = { ...init, bubbles: !alone, cancelable: !alone, relatedTarget: other ?? null };
    target.dispatchEvent(new PointerEvent(`pointer${kind}`, { ...more, ...pointer }));
    target.dispatchEvent(new MouseEvent(`mouse${kind}`, more));
    reportFocus(); // the page may have moved it: a menu does so with what is pointed at
  };
  if (before && before !== element) {
    send(before, 'out', element);
    for (const left of outwardFrom(before)) if (!contains(left, element)) send(left, 'leave', element);
  }
  if (before !== element) {
    send(element, 'over', before);
    for (const entered of outwardFrom(element).reverse())
      if (!before || !contains(entered, before)) send(entered, 'enter', before);
  }
  pointedAt = new WeakRef(element);
  return before !== element;
}

/** Return the element and all around it, outwards. */
function outwardFrom(element: Element): Element[] {
  const path = [];
  for (let at = element as Element | null; at; at = around(at)) path.push(at);
  return path;
}

/** Return whether the page has not prevented it. */
export function sendDrag(element: Element, type: string, { x, y }: Spot, dataTransfer: DataTransfer): boolean {
  const cancelable = !/^drag(leave|end)$/.test(type);
  const view = element.ownerDocument.defaultView;
  return element.dispatchEvent(
    new DragEvent(type, { bubbles: true, composed: true, cancelable, clientX: x, clientY: y, dataTransfer, view }),
  );
}

/** Have a pointer that is pressed, or was, do something. */
export function pointTo(element: Element, { x, y }: Spot, types: string[], buttons: number = 0) {
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    clientX: x,
    clientY: y,
    buttons,
    view: element.ownerDocument.defaultView,
  };
  for (const type of types) {
    const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
    element.dispatchEvent(
      type.startsWith('pointer') ? new PointerEvent(type, { ...init, ...pointer }) : new MouseEvent(type, init),
    );
    reportFocus();
  }
}

/** Send pointer events at a place. Return whether the page has prevented none of them. `own`: buttons and keys. */
export function point(
  element: Element,
  { x, y }: { x: number; y: number },
  types: string[],
  own: MouseEventInit = {},
): boolean {
  const pressed = /down$/.test(types[0] ?? '');
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    clientX: x,
    clientY: y,
    button: 0,
    buttons: pressed ? 1 : 0,
    detail: 1,
    ...own,
  };
  let went = true;
  for (const type of types) {
    const entering = /enter$/.test(type);
    const more = entering ? { bubbles: false, cancelable: false } : {};
    const view = element.ownerDocument.defaultView;
    const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
    const event = /^(pointer|click$|auxclick$|contextmenu$)/.test(type)
      ? new PointerEvent(type, { ...init, ...more, ...pointer, view })
      : new MouseEvent(type, { ...init, ...more, view });
    if (!element.dispatchEvent(event)) went = false;
    reportFocus();
  }
  return went;
}
