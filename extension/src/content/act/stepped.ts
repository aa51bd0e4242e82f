// Keeps the action that is done a step a call, such as a choice in a list, for the page needs time between; it must set no timer.

import type { Fault, Query } from '../frame.ts';
import type { ActionDone } from './action_types.ts';
import { currentObservation } from './observer.ts';

/**
 * How far the action is. `left`: the steps to come, of which one may be to see that it is done; `fault`: why there was none;
 * `progress`: something was done; `waitMs`: the time that the page needs first.
 */
export type Step = { left: number; fault?: Fault; progress?: true; waitMs?: number };

export interface Stepped {
  /** Of the action's observation. */
  readonly id: string | undefined;
  step: () => Step | Promise<Step>;
  /** Why it is not done as long as a step states no fault. */
  unfinished: () => Fault;
  /** Leave the page as it was found. */
  giveUp: () => void;
  /** See that the page has kept what was done, and return what it shows. */
  kept: () => object;
}

let current: Stepped | undefined;

/** Begin an action; `doStep` goes on. */
export function beginSteps(stepped: Stepped): ActionDone {
  current = stepped;
  return { waits: true, check: () => stepped.kept() };
}

/** Do the next step of the action that was begun. The query has `id`, and `cancel` to give it up. */
export function doStep({ id, cancel }: Query): Step | Promise<Step> | { gone: true } {
  if (!current || current.id !== id || currentObservation?.id !== id) return { gone: true };
  if (!cancel) return current.step();
  current.giveUp();
  return { left: 0 };
}

/**
 * As `doStep`, for a field of a form.
 * @throws Fault with the `step` that was not the last
 */
export async function doStepInForm(selector: string): Promise<ActionDone> {
  const now = current as Stepped;
  const step = await now.step();
  if (step.left) throw Object.assign(new Error(selector), { fault: step.fault ?? now.unfinished(), step });
  return { check: () => now.kept() };
}
