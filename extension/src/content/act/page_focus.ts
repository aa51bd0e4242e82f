// Moves the focus as in a window that has it; where the window has none, it sends the focus events that Chrome does not.
//
// The user's terminal or editor is in front more often than not: then `focus()` changes what has the focus, and sends no
// event. Pages that save a field when it is left, or listen to keys while they have the focus, would not hear of it.

import { openedBy } from '../dom/search.ts';

/** How often the page may move the focus on in its own listeners, before it is left where it is. */
const MOVES = 3;

/** What the page takes to have the focus, by Chrome or by us; none as long as its window has not. */
let noted: WeakRef<Element> | undefined;

/** Give an element the focus, with the events that belong to it. */
export function giveFocus(element: Element | null) {
  (element as HTMLElement | null)?.focus({ preventScroll: true });
  reportFocus();
}

/** Take the focus off what has it, as a press beside it does. */
export function dropFocus() {
  (focused() as HTMLElement | null)?.blur();
  reportFocus();
}

/**
 * Send the page the events of what has moved the focus since, itself perhaps, if its window has not the focus; return
 * whether there were any. While a window loses the focus, Chrome still sends them after `hasFocus` says no.
 */
export function reportFocus(): boolean {
  if (document.hasFocus()) noted = undefined;
  for (let left = document.hasFocus() ? 0 : MOVES; left > 0; left--) {
    const before = noted?.deref() ?? null;
    const now = focused();
    if (before === now) return left < MOVES;
    noted = now ? new WeakRef(now) : undefined;
    if (before?.isConnected) send(before, ['blur', 'focusout'], now);
    if (now && focused() === now) send(now, ['focus', 'focusin'], before);
  }
  return !document.hasFocus();
}

/** Return what has the focus, through shadow roots and frames of the same origin; null for the page as a whole. */
export function focused(): Element | null {
  let root: Document | ShadowRoot | null = document;
  let element: Element | null = null;
  while (root?.activeElement) {
    element = root.activeElement;
    root = openedBy(element);
  }
  return element === element?.ownerDocument.body ? null : element;
}

function send(target: Element, types: string[], relatedTarget: Element | null) {
  for (const type of types)
    target.dispatchEvent(new FocusEvent(type, { bubbles: type.length > 5, composed: true, relatedTarget }));
}

function noteTrusted({ type, isTrusted }: Event) {
  if (!isTrusted) return;
  const now = type === 'focus' ? focused() : null;
  noted = now ? new WeakRef(now) : undefined;
}

addEventListener('focus', noteTrusted, true);
addEventListener('blur', noteTrusted, true);
