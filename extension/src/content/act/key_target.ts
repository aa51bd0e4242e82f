// Chooses what the keys for an element go to, as real ones would, and gives it the focus; it must press none.

import { nodes } from '../dom/nodes.ts';
import { contains } from '../dom/visibility.ts';
import { editorInput, isInEditor } from './editors.ts';
import { focusable, isEditable, onlyFocusableIn } from './field_kinds.ts';
import { focused, giveFocus } from './page_focus.ts';

/** Give the focus to what takes the keys of an element, and return that. */
export function focusForKeys(element: Element): Element {
  const taker = takerOf(element);
  if (!nodes.matches(taker, 'body, html') && taker !== focused()) giveFocus(focusable(taker));
  return taker;
}

/** Return the input of the editor it is in, what has the focus in it, itself, or what alone takes the focus in it. */
function takerOf(element: Element): Element {
  if (isInEditor(element)) return editorInput(element) ?? element;
  if (nodes.matches(element, 'body, html')) return element;
  const takesKeys = focusable(element) === element;
  const now = focused();
  const isOwn = takesKeys && now !== null && isEditable(now); // a cell of a notebook has keys beside its editor's
  if (now && !isOwn && contains(element, now)) return now;
  return (takesKeys ? undefined : (editorInput(element) ?? onlyFocusableIn(element))) ?? element;
}
