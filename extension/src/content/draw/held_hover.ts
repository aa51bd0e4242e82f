// Keeps from the page that the pointer has left it for the overlay: a menu that is open while it is hovered over would close.
//
// The page gets what was kept, as copies, once the overlay is gone, its picture is taken, and the pointer is over something
// else. What a style sheet shows by `:hover` cannot be kept so, and a listener of the page's on its window comes first.

import { contains } from '../dom/visibility.ts';

const COPIES: Record<string, new (type: string, init: any) => MouseEvent> = {
  pointerout: PointerEvent,
  pointerleave: PointerEvent,
  mouseout: MouseEvent,
  mouseleave: MouseEvent,
  pointerover: PointerEvent,
  pointerenter: PointerEvent,
  mouseover: MouseEvent,
  mouseenter: MouseEvent,
};

/** The longest that the page hovers over nothing new: its picture is taken within a moment. */
const UNCOVERED_MS = 1_000;

const IS_LEAVING = /(out|leave)$/;

/** What an event takes back, of the same element. */
const OPPOSITE: Record<string, string> = { out: 'over', over: 'out', leave: 'enter', enter: 'leave' };

/** An event with its targets, which those of a shadow root lose afterwards. */
type Held = { event: MouseEvent; target: Element; relatedTarget: EventTarget | null };

export class HeldHover {
  #left: Held[] = [];
  /** What the pointer came over since the overlay is gone: Chrome looks where it is as soon as the page is drawn. */
  #entered: Held[] = [];
  #isUncovered = false;
  #given = new AbortController();

  constructor(host: Element) {
    const hold = (event: Event) => this.#hold(event as MouseEvent, host);
    for (const type of Object.keys(COPIES))
      window.addEventListener(type, hold, { signal: this.#given.signal, capture: true });
  }

  /** Hold on without the overlay. */
  uncover() {
    this.#isUncovered = true;
    setTimeout(() => this.giveBack(), UNCOVERED_MS);
  }

  /** Have the page learn what the pointer has left, and what it is over: at once, or as soon as it is over something. */
  giveBack() {
    if (this.#given.signal.aborted) return;
    this.#given.abort();
    const now = this.#entered.at(-1)?.target;
    if (now) this.#leaveFor(now);
    else if (this.#left.length) this.#leaveLater();
    for (const held of this.#entered) copy(held, held.relatedTarget);
  }

  #hold(event: MouseEvent, host: Element) {
    const { target, relatedTarget, isTrusted, type } = event;
    if (!isTrusted || !(this.#isUncovered || target === host || relatedTarget === host)) return;
    event.stopImmediatePropagation();
    const [hit] = event.composedPath();
    if (target === host || !(hit instanceof Element)) return;
    const held = { event, target: hit, relatedTarget };
    const isLeaving = IS_LEAVING.test(type);
    if (this.#isUncovered && takesBack(held, isLeaving ? this.#entered : this.#left)) return;
    if (isLeaving) this.#left.push(held);
    else if (this.#isUncovered) this.#entered.push(held);
  }

  #leaveLater() {
    const over = ({ target }: Event) => this.#leaveFor(target as Element);
    window.addEventListener('pointerover', over, { once: true, capture: true });
  }

  #leaveFor(now: Element) {
    for (const held of this.#left) if (isLeft(held, now)) copy(held, now);
  }
}

/** Drop what an event takes back: the page has not heard of it, nor will it of the event. Return whether there was any. */
function takesBack({ event, target }: Held, held: Held[]): boolean {
  const opposite = event.type.replace(/(out|over|leave|enter)$/, (end) => OPPOSITE[end] as string);
  const at = held.findLastIndex((one) => one.target === target && one.event.type === opposite);
  if (at >= 0) held.splice(at, 1);
  return at >= 0;
}

/** An element is left only with all that is in it; what comes out of one is heard by those around it, too. */
function isLeft({ event, target }: Held, now: Element): boolean {
  return event.type.endsWith('out') ? target !== now : !contains(target, now);
}

function copy({ event, target }: Held, relatedTarget: EventTarget | null) {
  const Copy = COPIES[event.type] as new (type: string, init: any) => MouseEvent;
  const { bubbles, cancelable, composed } = event;
  const changed = { bubbles, cancelable, composed, relatedTarget };
  const init = new Proxy(event, {
    get: (from, name) => (name in changed ? (changed as any)[name] : Reflect.get(from, name)),
  });
  target.dispatchEvent(new Copy(event.type, init));
}
