// Has a page go through a drag at a hand's pace; it must not know where from or where to.

/** Between two moves: a frame's time, in which a page draws what was moved. */
const MOVE_MS = 16;

/** The most steps of one drag. */
const STEPS = 40;

/**
 * @param {Pick<import('./fill.js').Steps, 'next' | 'wait'>} steps
 * @param {() => Promise<unknown>} letGo
 * @returns {Promise<void>}
 */
export async function dragOn({ next, wait }, letGo) {
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
