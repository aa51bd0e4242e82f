// Replaces this world's timers by ones that the page cannot end; the page's own are as they were.
//
// A timer has a number that is the same in every world of a document: a page that clears all numbers clears ours. An
// abort signal's timer has none. Frames and idle times have numbers too: where the page cancels them, a timer stands in.
// web-vitals and axe-core run in this world too, and find these.

/** Milliseconds after which a frame or an idle time is no longer waited for, in a page that is shown. */
const FRAME_MS = 250;
const IDLE_MS = 1_000;

const { requestAnimationFrame: requestFrame, requestIdleCallback: requestIdle } = globalThis;

let last = 0;

/** How to end each that is open, by our own number. */
const open = new Map<number, () => void>();

/** Call `act` after `ms`; return how to prevent that. */
function after(ms: number, act: () => void): () => void {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

/** Begin something that `finish` ends once; return its number. */
function begin(act: () => void, start: (finish: () => void) => () => void): number {
  const id = ++last;
  const finish = () => {
    if (end(id)) act();
  };
  open.set(id, start(finish));
  return id;
}

/** Return whether it was still open. */
function end(id: number | undefined): boolean {
  open.get(id as number)?.();
  return open.delete(id as number);
}

function startTimer(act: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): number {
  return begin(
    () => act(...args),
    (finish) => after(Math.max(0, Math.trunc(Number(ms)) || 0), finish),
  );
}

function nextFrame(act: FrameRequestCallback): number {
  return begin(
    () => act(performance.now()),
    (finish) => {
      requestFrame(finish);
      return whileShown(FRAME_MS, finish);
    },
  );
}

function nextIdle(act: IdleRequestCallback, { timeout = IDLE_MS }: IdleRequestOptions = {}): number {
  return begin(
    () => act({ didTimeout: false, timeRemaining: () => 0 }),
    (finish) => {
      requestIdle(finish, { timeout });
      return after(timeout, finish);
    },
  );
}

/** A hidden page has no frames: its time does not count. */
function whileShown(ms: number, act: () => void): () => void {
  let stop = after(ms, check);
  function check() {
    if (document.visibilityState === 'visible') act();
    else stop = after(ms, check);
  }
  return () => stop();
}

export function startOwnTimers() {
  Object.assign(globalThis, {
    setTimeout: startTimer,
    clearTimeout: end,
    requestAnimationFrame: nextFrame,
    cancelAnimationFrame: end,
    requestIdleCallback: nextIdle,
    cancelIdleCallback: end,
  });
}
