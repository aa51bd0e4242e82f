// Keeps from the page that the pointer has left it for the overlay: a menu that is open while it is hovered over would close.
//
// Once the overlay is gone and the pointer is over something else, the page gets what was kept, as copies. What a style sheet
// shows by `:hover` cannot be kept so, and a listener of the page's on its window comes first.

const LEFT: Record<string, new (type: string, init: any) => MouseEvent> = {
  pointerout: PointerEvent,
  pointerleave: PointerEvent,
  mouseout: MouseEvent,
  mouseleave: MouseEvent,
};

const ENTERED = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter'];

/** Hold what is hovered over until the signal ends it. */
export function holdHover(host: Element, signal: AbortSignal) {
  const kept: MouseEvent[] = [];
  const hold = (event: Event) => {
    const { target, relatedTarget, isTrusted, type } = event as MouseEvent;
    if (!isTrusted || (target !== host && relatedTarget !== host)) return;
    event.stopImmediatePropagation();
    if (target !== host && type in LEFT) kept.push(event as MouseEvent);
  };
  for (const type of [...Object.keys(LEFT), ...ENTERED]) window.addEventListener(type, hold, { signal, capture: true });
  signal.addEventListener('abort', () => giveBack(kept));
}

/** Have the page learn what the pointer has left, as soon as it is over something. */
function giveBack(kept: MouseEvent[]) {
  if (!kept.length) return;
  const over = ({ target }: Event) => {
    for (const event of kept) if (isLeft(event, target as Element)) copyTo(event, target);
  };
  window.addEventListener('pointerover', over, { once: true, capture: true });
}

/** An element is left only with all that is in it; what comes out of one is heard by those around it, too. */
function isLeft({ type, target }: MouseEvent, now: Element): boolean {
  return type.endsWith('out') ? target !== now : !(target as Element).contains(now);
}

function copyTo(event: MouseEvent, relatedTarget: EventTarget | null) {
  const Copy = LEFT[event.type] as new (type: string, init: any) => MouseEvent;
  const { target, bubbles, cancelable, composed } = event;
  const changed = { bubbles, cancelable, composed, relatedTarget };
  const init = new Proxy(event, { get: (from, name) => (changed as any)[name] ?? Reflect.get(from, name) });
  target?.dispatchEvent(new Copy(event.type, init));
}
