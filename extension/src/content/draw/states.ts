// The states of Draw Mode, and what leads from one to the next; what the table lacks is refused.
//
// They are those of seed 004, and two in which an annotation is changed.

/** `SELECTED`: one annotation is, to be changed; `CHANGING`: it is being moved or stretched. */
type DrawState = 'INACTIVE' | 'DRAWING' | 'TEXT_INPUT' | 'SELECTED' | 'CHANGING' | 'FINISHING';

/** `drawn`: a figure of 5 px or more; `sent`: picture and annotations have left the page. */
type Trigger =
  | 'activate'
  | 'drawn'
  | 'enter'
  | 'blur'
  | 'escape'
  | 'select'
  | 'grab'
  | 'drop'
  | 'edit'
  | 'leave'
  | 'sent';

const TRANSITIONS: Record<DrawState, Partial<Record<Trigger, DrawState>>> = {
  INACTIVE: { activate: 'DRAWING' },
  DRAWING: { drawn: 'TEXT_INPUT', select: 'SELECTED', escape: 'FINISHING' },
  TEXT_INPUT: { enter: 'DRAWING', blur: 'DRAWING', escape: 'DRAWING' },
  SELECTED: { select: 'SELECTED', grab: 'CHANGING', edit: 'TEXT_INPUT', leave: 'DRAWING', escape: 'DRAWING' },
  CHANGING: { drop: 'SELECTED', escape: 'SELECTED' },
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
