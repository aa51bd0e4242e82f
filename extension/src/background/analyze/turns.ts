// Lets one analysis at a time run in a tab; a later one waits for its turn, until its own time is over.
//
// A turn lasts as long as anything of the analysis runs in the page, also when its caller has been answered: axe cannot be
// stopped, and a second one beside it fails.

import { Failure } from '../failure.ts';

/** The longest that work which nobody waits for any more keeps others waiting: its page may hang for ever. */
const HELD_MS = 60_000;

/** The last turn of each tab, settled when it is over. */
const last: Map<number, Promise<void>> = new Map();

/** `hold` keeps the turn until some work has ended. */
export async function inTurn<T>(
  tab: number,
  until: number,
  run: (hold: (work: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const before = last.get(tab);
  const held: Promise<unknown>[] = [];
  let end = () => {};
  const over = new Promise<void>((done) => {
    end = done;
  });
  const turn = (before ?? Promise.resolve()).then(() => over);
  last.set(tab, turn);
  turn.then(() => last.get(tab) === turn && last.delete(tab));
  try {
    if (before && !(await isOver(before, until))) throw busy();
    return await run((work) => held.push(work));
  } finally {
    const timer = setTimeout(end, HELD_MS);
    Promise.allSettled(held).then(() => (clearTimeout(timer), end()));
  }
}

function isOver(turn: Promise<void>, until: number): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(done, Math.max(0, until - performance.now()), false);
    turn.then(() => (clearTimeout(timer), done(true)));
  });
}

function busy() {
  return new Failure('concurrent_analysis', 'Another analysis was running in this tab all the time.');
}
