// Reads the label of something clickable; never what was entered there, or what the page masks.

import { isMasked, wasSensitive } from './fields.ts';
import { nodes } from './nodes.ts';
import { clip } from './text.ts';

/** What a click means when it hits something inside of it. */
export const CLICKABLE =
  'a, button, input, select, textarea, label, summary, option, [role="button"], [role="link"], [role="tab"], [role="menuitem"], [role="checkbox"], [role="switch"], [role="option"], [onclick]';

/** What holds entered text. */
export const ENTRIES = 'input, textarea, select, select *, [contenteditable], [contenteditable] *, [role="textbox"]';

/** The longest text of what was clicked. */
const LABEL_CHARACTERS = 80;

/** The most nodes that are read for one label: what holds more is no button. */
const LABEL_NODES = 500;

/** The most characters of one node that are looked at. */
const LABEL_NODE_CHARACTERS = 1_000;

/** Return nothing for what is not clickable, holds an entry, or is masked in part. */
export function labelOf(target: Element): string {
  if (!nodes.matches(target, CLICKABLE) || isEntry(target)) return '';
  const walker = nodes.walker(document, target, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let text = '';
  for (let read = 0, node = walker.nextNode(); node; read++, node = walker.nextNode()) {
    if (read === LABEL_NODES || (node.nodeType === 1 && isEntry(node as Element))) return '';
    const piece = node.nodeType === 1 ? '' : (node.nodeValue ?? '').slice(0, LABEL_NODE_CHARACTERS);
    if (!/\S/.test(piece)) text += piece && ' ';
    else if (isMasked(nodes.parent(node) as Element)) return '';
    else if (text.length < LABEL_NODE_CHARACTERS) text += piece;
  }
  return clip(text.trim().replace(/\s+/g, ' '), LABEL_CHARACTERS);
}

/** Whether its text may have been entered. */
function isEntry(element: Element): boolean {
  return nodes.matches(element, ENTRIES) || wasSensitive(element) || (element as HTMLElement).isContentEditable;
}
