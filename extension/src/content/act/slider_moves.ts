// Moves a slider that a component draws to a number by its keys, a key a call.
//
// An arrow moves it by a step, Page Up and Page Down by several, Home and End to its ends
// (https://www.w3.org/WAI/ARIA/apg/patterns/slider/).

import { fail } from '../dom/faults.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { clip, sentValue } from '../dom/text.ts';
import { bringIntoSight, type Found } from '../dom/visibility.ts';
import type { Fault } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { requireReachable } from './actionability.ts';
import { pressDown } from './key_events.ts';
import { focusForKeys } from './key_target.ts';
import { pressOf } from './keys.ts';
import { currentObservation } from './observer.ts';
import { pageTurn } from './page_turns.ts';
import { recorded } from './recorded_steps.ts';
import { beginSteps, type Step, type Stepped } from './stepped.ts';

/** How long a page has to state what a key has done, and the time between two looks. */
const CHANGES_MS = 150;
const LOOK_MS = 4;

/** So many steps away, and further, the keys for larger ones are tried. */
const FAR = 12;

/** The most keys for one number. */
const MOST_KEYS = 400;

type Keys = { is: 'step' | 'page' | 'end'; more: string; less: string };

/** `from`: where the slider was; `at`: when, as `performance.now()`; `isMore`: it was to go up. */
type Pressed = { keys: Keys; from: number; at: number; isMore: boolean };

const RIGHT: Keys = { is: 'step', more: 'ArrowRight', less: 'ArrowLeft' };
const UP: Keys = { is: 'step', more: 'ArrowUp', less: 'ArrowDown' };
const PAGE: Keys = { is: 'page', more: 'PageUp', less: 'PageDown' };
const END: Keys = { is: 'end', more: 'End', less: 'Home' };

/** Whether it is a slider that states its number, and no field of the browser's own. */
export function isDrawnSlider(element: Element): boolean {
  const isSlider = nodes.attribute(element, 'role') === 'slider' && !isHtml(element, 'input');
  return isSlider && numberIn(element, 'aria-valuenow') !== null;
}

/** Begin to move a slider to a number. */
export function beginMoving(found: Found, text: string, selector: string): ActionDone {
  requireReachable(found, selector);
  bringIntoSight(found);
  const move = new SliderMove(currentObservation?.id, found, text, selector);
  if (!move.isInRange()) move.kept();
  return { ...beginSteps(move), parts: true };
}

class SliderMove implements Stepped {
  readonly id;
  readonly #slider;
  readonly #selector;
  readonly #text;
  readonly #wanted;
  /** The keys that may still be of use, and how far those that were tried have moved it. */
  #arrows: Keys[];
  #others: Keys[] = [END, PAGE];
  #step = 0;
  #page: number | undefined;
  /** Where the arrows for more mean less: in texts from right to left. */
  #isReversed = false;
  /** What was pressed last. */
  #last: Pressed | undefined;
  #count = 0;
  /** What takes its keys: itself, or what is in it. */
  readonly #taker;

  constructor(id: string | undefined, slider: Found, text: string, selector: string) {
    this.id = id;
    this.#slider = slider;
    this.#taker = focusForKeys(slider.element);
    this.#selector = selector;
    this.#text = text;
    this.#wanted = text.trim() ? Number(text) : Number.NaN;
    this.#arrows = nodes.attribute(slider.element, 'aria-orientation') === 'vertical' ? [UP, RIGHT] : [RIGHT, UP];
  }

  isInRange(): boolean {
    const { min, max } = this.#ends();
    return this.#wanted >= min && this.#wanted <= max;
  }

  async step(): Promise<Step> {
    const now = this.#now();
    if (this.#isThere(now) || this.#count >= MOST_KEYS || !nodes.isConnected(this.#slider.element)) return { left: 0 };
    const last = this.#last;
    if (last && now === last.from && performance.now() - last.at < CHANGES_MS) return { left: 1, waitMs: LOOK_MS };
    if (last && !this.#learn(last, now)) return { left: 0 };
    const keys = this.#keysFor(now);
    if (!keys) return { left: 0 };
    const isMore = this.#wanted > now;
    const isBack = keys.is === 'step' ? isMore === this.#isReversed : !isMore;
    const key = isBack ? keys.less : keys.more;
    this.#last = { keys, from: now, at: performance.now(), isMore };
    this.#count++;
    const taker = { element: this.#taker, tree: this.#slider.tree };
    let letGo = () => {};
    const press = () => ({ release: letGo } = pressDown(taker.element, pressOf(key), () => undefined));
    recorded(taker, press, 'key_press', { key });
    await pageTurn(); // some pages save, when the key comes up, what they have drawn by then
    letGo();
    return { left: 1, progress: true };
  }

  /** Learn from the last key; false if it led past what is wanted, or no key leads on. */
  #learn({ keys, from, isMore }: Pressed, now: number): boolean {
    const moved = now - from;
    const isRight = moved > 0 === isMore;
    if (keys.is !== 'step')
      this.#others = this.#others.filter((one) => one !== keys || (one === PAGE && moved && isRight));
    if (keys.is === 'page') this.#page = Math.abs(moved);
    if (keys.is !== 'step') return true;
    if (!moved) {
      if (this.#step) return false;
      this.#arrows.shift();
      return true;
    }
    if (!isRight) {
      const isFirst = !this.#step && !this.#isReversed;
      this.#isReversed = true;
      this.#step = Math.abs(moved);
      return isFirst;
    }
    this.#step = Math.abs(moved);
    return (this.#wanted - from) * (this.#wanted - now) > 0;
  }

  #keysFor(now: number): Keys | undefined {
    const { min, max } = this.#ends();
    const isAtEnd = this.#wanted === (this.#wanted > now ? max : min);
    const distance = Math.abs(this.#wanted - now);
    const left = this.#page === undefined ? 0 : Math.abs(distance - this.#page); // it may lead past it
    const isFar = this.#step > 0 && distance >= FAR * this.#step && left < distance;
    const other = this.#others.find(({ is }) => (is === 'end' ? isAtEnd : isFar));
    return other ?? this.#arrows[0];
  }

  unfinished(): Fault {
    return { code: 'input_rejected', message: `${this.#name} is at ${this.#now()}, on its way to ${this.#text}.` };
  }

  giveUp() {}

  kept(): object {
    const { element } = this.#slider;
    const now = this.#now();
    if (!this.#isThere(now)) {
      const { min, max } = this.#ends();
      const steps = this.#step ? `, in steps of ${plain(this.#step)}` : '';
      fail('input_rejected', `${this.#name} did not keep ${JSON.stringify(clip(this.#text, 200))}: it is at ${now}.`, {
        details: { selector: clip(this.#selector, 500), value: String(now) },
        recovery: `The slider takes numbers from ${min} to ${max}${steps}.`,
      });
    }
    return { value: sentValue(nodes.attribute(element, 'aria-valuetext') || String(now)) };
  }

  get #name(): string {
    return JSON.stringify(clip(this.#selector, 200));
  }

  #now(): number {
    return numberIn(this.#slider.element, 'aria-valuenow') ?? Number.NaN;
  }

  #isThere(now: number): boolean {
    return plain(now) === plain(this.#wanted);
  }

  /** The ends that it states, or those of any slider (https://www.w3.org/TR/wai-aria-1.2/#slider). */
  #ends(): { min: number; max: number } {
    const { element } = this.#slider;
    return { min: numberIn(element, 'aria-valuemin') ?? 0, max: numberIn(element, 'aria-valuemax') ?? 100 };
  }
}

/** Round off what sums of fractions add. */
function plain(number: number): number {
  return Number(number.toPrecision(12));
}

function numberIn(element: Element, attribute: string): number | null {
  const text = nodes.attribute(element, attribute)?.trim();
  return text && Number.isFinite(Number(text)) ? Number(text) : null;
}
