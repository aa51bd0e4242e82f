// Finds the page's popover that Chrome would close first; it must open and close none.
//
// Chrome keeps the open popovers of the kinds `auto` and `hint` in a chain, and closes them from its end: at a press that hits
// none, and when a dialog becomes modal that is part of none. Nothing reads that chain, but what links it can be read.

import { matchesIn, nodes } from '../dom/nodes.ts';
import { treesOf } from '../dom/search.ts';
import { around } from '../dom/visibility.ts';

const CLOSED_BY_A_PRESS = ':is([popover=""], [popover=auto i], [popover=hint i]):popover-open';
const OPENERS = 'button:is([popovertarget], [commandfor]), input[popovertarget]';

type Opener = HTMLButtonElement & { commandForElement?: Element | null };

/** Return the popover at the end of the chain: in the others is what leads on to it. */
export function lastPopover(): HTMLElement | undefined {
  const trees = treesOf(document).filter(({ root }) => root.ownerDocument === document || root === document);
  const all = (css: string) => trees.flatMap(({ root }) => [...matchesIn(root, css)]);
  const open = all(CLOSED_BY_A_PRESS) as HTMLElement[];
  if (open.length < 2) return open[0];
  const openers = new Map(all(OPENERS).map((one) => [openedBy(one as Opener), one]));
  const lead = (one: Element | null) => nearest(one && around(one));
  const leading = new Set(open.flatMap((one) => [lead(one), lead(openers.get(one) ?? null)]));
  return open.findLast((one) => !leading.has(one));
}

function openedBy(opener: Opener): Element | null | undefined {
  return opener.popoverTargetElement ?? opener.commandForElement;
}

function nearest(from: Element | null): Element | null {
  let at = from;
  while (at && !nodes.matches(at, CLOSED_BY_A_PRESS)) at = around(at);
  return at;
}
