// The states of Draw Mode (seed 004), and what leads from one to the next; what the table lacks is refused.

export type DrawState = 'INACTIVE' | 'DRAWING' | 'TEXT_INPUT' | 'FINISHING';

/** `drawn`: a rectangle of 5 px or more; `sent`: picture and annotations have left the page. */
export type Trigger = 'activate' | 'drawn' | 'enter' | 'blur' | 'escape' | 'sent';

const TRANSITIONS: Record<DrawState, Partial<Record<Trigger, DrawState>>> = {
  INACTIVE: { activate: 'DRAWING' },
  DRAWING: { drawn: 'TEXT_INPUT', escape: 'FINISHING' },
  TEXT_INPUT: { enter: 'DRAWING', blur: 'DRAWING', escape: 'DRAWING' },
  FINISHING: { sent: 'INACTIVE' },
};

export class DrawMachine {
  #state: DrawState = 'INACTIVE';

  get state(): DrawState {
    return this.#state;
  }

  /** Go on to the next state. Return whether there is one: else nothing happens. */
  take(trigger: Trigger): boolean {
    const next = TRANSITIONS[this.#state][trigger];
    if (next) this.#state = next;
    return next !== undefined;
  }
}
