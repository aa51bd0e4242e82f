// Measures for how long a page has not changed. A page whose fonts or images are on their way is about to.

import { isOurs } from '../dom/nodes.ts';
import type { Tree } from '../dom/search.ts';
import { isMediaLate } from './late_media.ts';

/** Nobody has asked for so long: the page is no longer watched. */
const WATCHED_MS = 2_000;

let last = 0;
let hasChanged = false;
let watching: MutationObserver | undefined;
let ending: ReturnType<typeof setTimeout> | undefined;

/** Return the ms since the page's last change, or since it is watched, and whether it has changed since then. */
export function pageQuiet(trees: Tree[]): { quietMs: number; changed: boolean } {
  clearTimeout(ending);
  ending = setTimeout(end, WATCHED_MS);
  if (!watching) start(trees);
  else note(watching.takeRecords());
  if (isMediaLate(trees)) last = performance.now();
  return { quietMs: performance.now() - last, changed: hasChanged };
}

function start(trees: Tree[]) {
  last = performance.now();
  hasChanged = false;
  watching = new MutationObserver(note);
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const { root } of trees) watching.observe(root, all);
}

function note(records: MutationRecord[]) {
  const isPage = ({ addedNodes, removedNodes }: MutationRecord) => {
    const touched = [...addedNodes, ...removedNodes];
    return !touched.length || !touched.every(isOurs);
  };
  if (!records.some(isPage)) return;
  last = performance.now();
  hasChanged = true;
}

function end() {
  watching?.disconnect();
  watching = undefined;
}
