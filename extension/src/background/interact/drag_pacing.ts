// Performs a drag, or a press that is held, in the page step by step, at the pace of a hand.

import type { InPage } from './mutation.ts';

/** Between two moves: the time of a frame, in which a page draws what was moved. */
const MOVE_MS = 16;

const STEPS = 40;

export const dragInSteps: InPage = async (query, { begin, next, cancel, wait }) => {
  try {
    const begun = await begin('perform', query);
    for (let step = 0; step < STEPS; step++) {
      await wait(MOVE_MS);
      const { done, gone } = await next('drag_step');
      if (done || gone) break;
    }
    return begun;
  } catch (fault) {
    await cancel('drag_step'); // the page must not be left with a pressed pointer, also if it was pressed unheard
    throw fault;
  }
};

/** Press, and let go after the time that is asked for. */
export const pressAndHold: InPage = async (query, { begin, next, cancel, wait }) => {
  if (query['hold_ms'] === undefined) return begin('perform', query);
  try {
    const begun = await begin('perform', query);
    await wait(Number(query['hold_ms']));
    return { ...begun, ...(await next('release_press')) };
  } catch (fault) {
    await cancel('release_press');
    throw fault;
  }
};
