// Has a page go through a drag at a hand's pace; it must not know where from or where to.

import type { Steps } from './form_filling.ts';

/** Between two moves: a frame's time, in which a page draws what was moved. */
const MOVE_MS = 16;

/** The most steps of one drag. */
const STEPS = 40;

export async function dragOn(
  { next, wait }: Pick<Steps, 'next' | 'wait'>,
  letGo: () => Promise<unknown>,
): Promise<void> {
  try {
    for (let step = 0; step < STEPS; step++) {
      await wait(MOVE_MS);
      const { done, gone } = await next('drag_step');
      if (done || gone) return;
    }
  } catch (fault) {
    await letGo(); // the call was ended: the page must not hang on the pointer
    throw fault;
  }
}
