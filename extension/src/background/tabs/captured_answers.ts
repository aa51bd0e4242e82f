// Asks a page, and has the events that led to its answer sent before it.

import { hasFrames } from './framed_tabs.ts';
import { type askAtOnce, askPageWithCaptured } from './page_queries.ts';
import type { Tab } from './tabs.ts';

/** How captured events are taken in: as a frame has sent them with an answer, or fetched from all frames of a tab. */
export type Intakes = {
  admit: (chunks: unknown, place: { tab: number; frame: number }) => Promise<void>;
  gather: (tab: number, signal: AbortSignal) => Promise<void>;
};

/** `first`: what the page has been asked already. `complete`: adds to the answer what other frames have. */
type More = { first?: ReturnType<typeof askAtOnce> | undefined; complete?: (answer: object) => Promise<object> };

type Query = Record<string, unknown>;

let intakes: Intakes | undefined;

export function setIntakes(given: Intakes) {
  intakes = given;
}

/**
 * Ask the page of a tab what changes nothing. What it has captured comes with the answer; what its frames have, if it has
 * some or does not say so, is fetched after it.
 */
export async function askWithEvents(
  tab: Tab,
  name: string,
  query: Query,
  signal: AbortSignal,
  { first, complete = async (answer) => answer }: More = {},
): Promise<object> {
  const { id, frame = 0 } = tab;
  let isAlone = false;
  const take = (chunks: unknown, frames: number) => {
    isAlone = !frame && !frames && !hasFrames(id);
    return intakes?.admit(chunks, { tab: id, frame });
  };
  try {
    return await complete((await askPageWithCaptured(tab, name, query, signal, take, first)) as object);
  } finally {
    if (!isAlone) await intakes?.gather(id, signal);
  }
}
