// Keeps what the person does on the overlay from the page: the overlay gets a copy, which does not leave its shadow root.
//
// An event that is stopped before the page's listeners reaches none of ours within the root either; what Chrome itself does by
// it (the focus, a letter in a field) is done all the same, unless the copy's default was prevented.

import { isOurs } from '../dom/nodes.ts';

/** What is copied; of the rest the overlay needs nothing. */
const COPIED: Record<string, new (type: string, init: any) => Event> = {
  pointerdown: PointerEvent,
  pointerup: PointerEvent,
  mousedown: MouseEvent,
  click: PointerEvent,
  dblclick: MouseEvent,
  keydown: KeyboardEvent,
  keyup: KeyboardEvent,
  beforeinput: InputEvent,
  input: InputEvent,
};

export type Surface = { host: Element; root: ShadowRoot; dialog: HTMLElement; canvas: Element };

/** Return what takes the input of a page; `covered`: a press hit what the page shows above the overlay. */
export function inputTaker({ host, root, dialog, canvas }: Surface, covered: () => void): (event: Event) => void {
  let pressed: Element = dialog;
  let focused: Element = dialog;
  root.addEventListener('focusin', () => {
    focused = root.activeElement ?? dialog;
  });

  return (event) => {
    const [hit] = event.composedPath();
    if (event instanceof FocusEvent) return takeFocus(event, hit);
    if (event.type === 'blur' && event.isTrusted && hit === window) return void setTimeout(keepFocus);
    const isKey = event instanceof KeyboardEvent;
    if (hit !== host) {
      if (!event.isTrusted || (hit instanceof Node && isOurs(hit)) || !(isKey || isAbove(event))) return;
      covered();
    }
    event.stopImmediatePropagation();
    if (!event.isTrusted || (hit !== host && !isKey)) return;
    const target = targetOf(event);
    if (event.type === 'mousedown' || event.type === 'pointerdown') pressed = target;
    const Copy = COPIED[event.type];
    if (Copy && !target.dispatchEvent(new Copy(event.type, inside(event)))) event.preventDefault();
  };

  /** The page does not learn that the overlay has the focus: many a menu would close. */
  function takeFocus(event: FocusEvent, hit: EventTarget | undefined) {
    if (!event.isTrusted || !(hit instanceof Element) || (hit !== host && isOurs(hit))) return;
    event.stopImmediatePropagation();
    if (hit !== host) return;
    const isLost = event.type === 'blur' || event.type === 'focusout';
    const target = isLost ? focused : (root.activeElement ?? dialog);
    target.dispatchEvent(new FocusEvent(event.type, inside(event)));
  }

  /** A page can give the focus to one of its frames; what is typed would go there. */
  function keepFocus() {
    const isTaken = document.hasFocus() && document.activeElement !== host && dialog.isConnected;
    if (isTaken) dialog.focus({ preventScroll: true });
  }

  function isAbove(event: Event): boolean {
    const { clientX, clientY } = event as MouseEvent;
    return event.type === 'pointerdown' && clientX < dialog.clientWidth && clientY < dialog.clientHeight;
  }

  function targetOf(event: Event): Element {
    const { detail, pointerId = 0, clientX, clientY } = event as PointerEvent;
    const isByKey = !(event instanceof MouseEvent) || (event.type === 'click' && !detail);
    if (isByKey) return root.activeElement ?? dialog;
    if (canvas.hasPointerCapture(pointerId)) return canvas;
    const met = root.elementFromPoint(clientX, clientY) ?? dialog;
    return event.type === 'click' ? aroundBoth(pressed, met) : met;
  }
}

const ENDS = ['pointerup', 'mouseup', 'click', 'touchend', 'keypress', 'keyup'];

/** Return what keeps the end of a press from the page whose beginning was the overlay's; `over` with the next one. */
export function pressEnder(over: () => void): (event: Event) => void {
  return (event) => {
    if (ENDS.includes(event.type)) event.stopImmediatePropagation();
    else over();
  };
}

/** A press that ends on another element clicks on what is around both. */
function aroundBoth(one: Element, other: Element): Element {
  let at = one;
  while (!at.contains(other) && at.parentElement) at = at.parentElement;
  return at;
}

/** The same event, as one that stays in its tree. */
function inside(event: Event): object {
  const { bubbles, cancelable } = event;
  return new Proxy(event, {
    get: (from, name) => ({ bubbles, cancelable, composed: false })[String(name)] ?? Reflect.get(from, name),
  });
}
