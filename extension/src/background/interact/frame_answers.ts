// Waits for what frames answer about real input: a busy one answers late, and one that hangs never.

/** The longest wait for a frame that hangs, if no other answers. */
export const ANSWER_MS = 2_000;

/** Milliseconds between looks for a dialog. */
const DIALOG_POLL = 100;

/** Give the answer; undefined if the page was left, or none can come because the input has opened a dialog. */
export async function inTime(answer: Promise<unknown>, isAtDialog: () => boolean): Promise<unknown> {
  const answered = answer.catch(() => undefined); // the input made the page navigate
  for (const until = performance.now() + ANSWER_MS; performance.now() < until && !isAtDialog(); ) {
    const late = new Promise<'late'>((done) => setTimeout(done, DIALOG_POLL, 'late'));
    const found = await Promise.race([answered, late]);
    if (found !== 'late') return found;
  }
  return undefined;
}
