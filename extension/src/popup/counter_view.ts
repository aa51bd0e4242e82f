// Shows the counters while the popup is open, and clears them on a click.

import { COUNTS_KEY, type Counts, noCounts } from '../shared/counts.ts';
import { box, button, part } from '../shared/parts.ts';
import { loss, tally } from './counter_text.ts';

/** Show the counters now and after every change. */
export async function followCounters() {
  const { session } = chrome.storage;
  session.onChanged.addListener(({ [COUNTS_KEY]: changed }) => changed && show(changed.newValue as Counts));
  button('#clear').addEventListener('click', clear);
  const { [COUNTS_KEY]: kept } = await session.get(COUNTS_KEY);
  show(kept as Counts | undefined);
}

function show(counts: Counts = noCounts(0)) {
  const lost = loss(counts);
  part('#counts').replaceChildren(...tally(counts).map(box));
  part('#dropped').textContent = lost;
  part('#dropped').hidden = !lost;
}

async function clear() {
  part('#told').textContent = 'Clearing…';
  const answer = await chrome.runtime.sendMessage({ name: 'clear' }).catch(() => undefined);
  part('#told').textContent = answer?.cleared ? 'Cleared' : 'Not cleared: no server';
}
